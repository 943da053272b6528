//! Warnings about overriding functions that give a value of another sort.

use super::Lint;
use super::known::RulesContext;
use crate::diagnostic::{Diagnostic, message};
use crate::script::codes;
use crate::script::sorts::Sort;

impl RulesContext<'_> {
    /// Warnings about functions that give another sort of value than the one that they override, on which callers rely.
    pub(super) fn lost_results(&self) -> Vec<Lint> {
        let functions = &self.scripts.functions;
        let mut lost = Vec::new();
        for (upper, info) in functions.iter().enumerate() {
            let Some(lower) = functions.iter().rposition(|lower| info.overrides(lower)) else { continue };
            let (Some(gives), Some(gave)) = (self.results[upper], self.results[lower]) else { continue };
            if gave == Sort::Nothing || gives.may_be(gave) {
                continue;
            }
            let message = message!(
                "`{}` gives {}, and the one that it overrides gives {}",
                info.name,
                gives.named(),
                gave.named()
            );
            let warning = Diagnostic::new(message)
                .at_maybe(self.place(info.at, message!("gives {}", gives.named())))
                .related_maybe(self.place(functions[lower].at, message!("gives {}", gave.named())))
                .help("its callers rely on the same sort of value from every layer");
            lost.push(Lint { warning: warning.with_code(codes::OTHER_RESULT), layer: None });
        }
        lost
    }
}
