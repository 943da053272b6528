//! Programs as trees that can be printed, counted and made smaller.

use std::collections::BTreeSet;
use std::sync::Arc;

/// Where a part stands in the text of a node.
pub const HOLE: char = '@';

/// What a node is in the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Expression,
    Statement,
    /// Its parts are statements, and its braces are printed around them.
    Block,
}

/// A piece of a program: a text with holes, and what stands in them.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    /// The text; a [`HOLE`] for each part.
    pub text: Arc<str>,
    pub parts: Vec<Node>,
    /// The construct or word that it is an example of.
    pub example_of: Option<Arc<str>>,
}

impl Node {
    pub fn expression(text: &str, parts: Vec<Node>) -> Self {
        Self::new(Kind::Expression, text, parts)
    }

    pub fn statement(text: &str, parts: Vec<Node>) -> Self {
        Self::new(Kind::Statement, text, parts)
    }

    pub fn block(statements: Vec<Node>) -> Self {
        Self::new(Kind::Block, "", statements)
    }

    fn new(kind: Kind, text: &str, parts: Vec<Node>) -> Self {
        debug_assert!(kind == Kind::Block || text.matches(HOLE).count() == parts.len(), "{text}");
        Self { kind, text: text.into(), parts, example_of: None }
    }

    /// The same as an example of a construct or word.
    pub fn showing(mut self, construct: &str) -> Self {
        self.example_of = Some(construct.into());
        self
    }

    /// Whether it can stand beside an operator or before a dot as it is.
    fn is_closed(&self) -> bool {
        let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '[' | ']');
        match &*self.text {
            "@" => self.parts.first().is_some_and(Self::is_closed),
            "(@)" | "@[@]" => true,
            text if text.starts_with("@.") => !text.contains(' ') || text.ends_with(')'),
            text => text.chars().all(is_word) && text.starts_with(|letter: char| letter.is_alphabetic()),
        }
    }

    /// The same in parentheses, where it needs some beside an operator or before a dot.
    pub fn closed(self) -> Self {
        if self.is_closed() { self } else { Self::expression("(@)", vec![self]) }
    }

    /// The same where a block follows: in parentheses, if it would be taken for that block.
    pub fn before_a_block(self) -> Self {
        let mut text = String::new();
        self.print(0, &mut text);
        if text.starts_with('{') { Self::expression("(@)", vec![self]) } else { self }
    }

    /// Every construct and word that it is made of.
    pub fn constructs(&self, found: &mut BTreeSet<Arc<str>>) {
        found.extend(self.example_of.clone());
        self.parts.iter().for_each(|part| part.constructs(found));
    }

    pub fn print(&self, indent: usize, out: &mut String) {
        if self.kind == Kind::Block {
            if self.parts.is_empty() {
                return out.push_str("{ }");
            }
            out.push_str("{\n");
            for statement in &self.parts {
                (0..=indent).for_each(|_| out.push_str("    "));
                statement.print(indent + 1, out);
                out.push('\n');
            }
            (0..indent).for_each(|_| out.push_str("    "));
            return out.push('}');
        }
        let mut parts = self.parts.iter();
        for (number, text) in self.text.split(HOLE).enumerate() {
            if let Some(part) = (number > 0).then(|| parts.next()).flatten() {
                part.print(indent, out);
            }
            out.push_str(text);
        }
    }

    /// Every tree that is this one with something taken away, large pieces first.
    pub fn smaller(&self) -> Vec<Node> {
        let mut smaller = Vec::new();
        match self.kind {
            Kind::Block => {
                let mut size = self.parts.len();
                while size > 0 {
                    for start in (0..self.parts.len()).step_by(size) {
                        let mut rest = self.parts.clone();
                        rest.drain(start..(start + size).min(self.parts.len()));
                        smaller.push(Self { parts: rest, ..self.clone() });
                    }
                    size /= 2;
                }
                // What stands in the blocks of a statement, instead of the statement.
                for (number, statement) in self.parts.iter().enumerate() {
                    for inner in statement.inner_blocks() {
                        let mut parts = self.parts.clone();
                        parts.splice(number..=number, inner.parts.iter().cloned());
                        smaller.push(Self { parts, ..self.clone() });
                    }
                }
            }
            Kind::Expression => {
                smaller.extend(self.parts.iter().filter(|part| part.kind == Kind::Expression).cloned());
                if self.text.len() > 4 || !self.parts.is_empty() {
                    smaller
                        .extend(["()", "0", "1", "true", "\"a\"", "[]"].map(|text| Self::expression(text, Vec::new())));
                }
            }
            Kind::Statement => {}
        }
        for (number, part) in self.parts.iter().enumerate() {
            for other in part.smaller() {
                let mut parts = self.parts.clone();
                parts[number] = other;
                smaller.push(Self { parts, ..self.clone() });
            }
        }
        smaller
    }

    fn inner_blocks(&self) -> Vec<&Node> {
        let mut blocks: Vec<&Node> = Vec::new();
        for part in &self.parts {
            match part.kind {
                Kind::Block => blocks.push(part),
                _ => blocks.extend(part.inner_blocks()),
            }
        }
        blocks
    }
}

/// A function of a program.
#[derive(Clone, Debug)]
pub struct Function {
    /// The script that it stands in: 0 for the game's, then the variants'.
    pub layer: usize,
    pub name: String,
    pub parameters: Vec<String>,
    pub is_private: bool,
    pub body: Node,
}

/// How a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As a scenario calls a rule: players are asked, and chance answers.
    Played,
    /// As a person evaluates an expression.
    Evaluated,
    /// As the table asks for marks and notes.
    Evaluation,
}

/// A small program: functions, and the numbers that the first of them is called with.
#[derive(Clone, Debug)]
pub struct Program {
    pub functions: Vec<Function>,
    pub way: Way,
    pub arguments: Vec<i64>,
    /// Whether everything in it is of the sort that is needed, as far as that can be seen.
    pub is_calm: bool,
}

impl Program {
    /// The function that is called.
    pub fn main(&self) -> &str {
        self.functions.first().map_or("", |function| &function.name)
    }

    pub fn constructs(&self) -> BTreeSet<Arc<str>> {
        let mut found = BTreeSet::new();
        self.functions.iter().for_each(|function| function.body.constructs(&mut found));
        found
    }

    /// The text of one of its layers.
    pub fn print(&self, layer: usize) -> String {
        let mut out = String::new();
        for function in self.functions.iter().filter(|function| function.layer == layer) {
            let private = if function.is_private { "private " } else { "" };
            out.push_str(&format!("{private}fn {}({}) ", function.name, function.parameters.join(", ")));
            function.body.print(0, &mut out);
            out.push('\n');
        }
        out
    }

    pub fn size(&self) -> usize {
        (0..3).map(|layer| self.print(layer).len()).sum::<usize>() + self.arguments.len()
    }

    /// Every program that is this one with something taken away.
    pub fn smaller(&self) -> Vec<Program> {
        let mut smaller = Vec::new();
        if self.arguments.len() > 1 {
            smaller.extend(self.arguments.iter().map(|&argument| Self { arguments: vec![argument], ..self.clone() }));
        }
        for number in 1..self.functions.len() {
            let mut functions = self.functions.clone();
            functions.remove(number);
            smaller.push(Self { functions, ..self.clone() });
        }
        for (number, function) in self.functions.iter().enumerate() {
            for body in function.body.smaller() {
                let mut functions = self.functions.clone();
                functions[number].body = body;
                smaller.push(Self { functions, ..self.clone() });
            }
        }
        smaller
    }
}
