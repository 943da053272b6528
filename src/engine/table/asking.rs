//! Asking players: a decision is posed, answered from outside of the table, and settled.

use crate::definition::{ASK, AskedSetting};
use crate::diagnostic::{Message, message};
use crate::table::decision::{Decision, Halt, NOT_ALLOWED, OptionShown, Options, Play, Question};
use crate::table::event::{EventData, ScriptPoint};
use crate::table::layout::Layout;
use crate::table::progress::MAX_DECISIONS;
use crate::table::value::{Seat, Value};
use crate::table::{Fault, Table};
use std::sync::Arc;

impl Table {
    /// Poses a question: checks and counts it, and gives it with its secrecy, which its prompt can demand. The question
    /// is open until it is [settled](Self::settle) or [left open](Self::leave_open).
    ///
    /// # Errors
    /// There is no legal option; the number of options to choose is impossible; an option stands there twice; there are
    /// too many decisions in one game; or nobody can be asked at present.
    pub fn pose<'q>(&mut self, question: &Question<'q>) -> Result<Question<'q>, Fault> {
        let count = question.options.len();
        if question.min > question.max || question.min > count || (count == 0 && question.max > 0) {
            return Err(self.undecidable(question));
        }
        if let Some(equal_pair) = question.options.equal_pair() {
            return Err(self.offered_twice(question.prompt, &question.options.value(equal_pair.0), equal_pair));
        }
        if self.progress.is_silent {
            return Err(Fault::rule(message!("{} cannot be asked here: nobody plays", question.prompt)));
        }
        self.progress.decisions += 1;
        if self.progress.decisions > MAX_DECISIONS {
            return Err(self.stop(Halt::Limit(message!("more than {MAX_DECISIONS} decisions in one game"))));
        }
        let secret = question.secret || self.layout.definition.secrets.contains(question.prompt);
        Ok(Question { secret, ..*question })
    }

    /// Records that the question was answered with the options at the positions `chosen`.
    pub fn settle(&mut self, question: &Question<'_>, chosen: Vec<usize>) {
        if let Some(recording) = self.recording().filter(|recording| recording.has_choices()) {
            let before = recording.with_tables.then(|| Box::new(self.snapshot()));
            // Only the seat that was asked learns why something was not allowed.
            let decision = Arc::new(self.written(&Question { refused: &[], ..*question }));
            let (chosen, clock) = (chosen.clone(), self.state.clock.now());
            self.push_event(EventData::Choice { decision, chosen, clock, before });
        }
        if question.secret {
            self.keep_secret(self.progress.decisions, question.seat, question.prompt);
        }
        self.progress.changes += 1;
        self.progress.chosen.0 = chosen;
    }

    /// Records that the question was not answered, and ends the run. The run can go on with the same question, once it
    /// is [reopened](Self::reopen).
    pub fn leave_open(&mut self, question: &Question<'_>, halt: Halt) -> Fault {
        match halt {
            Halt::Paused => self.progress.decisions -= 1,
            Halt::Again => {}
            _ => self.progress.open = Some(Arc::new(self.written(question))),
        }
        self.stop(halt)
    }

    /// Undoes that a decision was left open, or that the run was paused: the same question can be posed again, as if it
    /// had not been posed before.
    pub fn reopen(&mut self) {
        self.progress.decisions -= usize::from(self.progress.open.take().is_some());
        self.progress.halt = None;
    }

    /// Sets whether questions are refused, because rules run only for somebody who looks.
    pub fn refuse_questions(&mut self, is_silent: bool) {
        self.progress.is_silent = is_silent;
    }

    /// Begins a simultaneous choice: until [`Self::end_together`], no player knows what another one chooses.
    ///
    /// # Errors
    /// There is a simultaneous choice already.
    pub fn begin_together(&mut self) -> Result<(), Fault> {
        if self.progress.together.is_some() {
            return Err(Fault::rule("a choice made together cannot hold another one"));
        }
        self.progress.togethers += 1;
        self.progress.together = Some(self.progress.togethers);
        Ok(())
    }

    /// Ends a simultaneous choice, in which everybody has chosen.
    pub fn end_together(&mut self) {
        self.progress.together = None;
        self.advance_by_slowest();
    }

    /// The number of the simultaneous choice that is being made; `None` where none is.
    pub fn together(&self) -> Option<u32> {
        self.progress.together
    }

    /// The label of a single value: its name in texts and messages.
    pub fn option_label(&self, value: &Value) -> String {
        self.layout.label(&self.state.faces, value)
    }

    /// The labels of options that are shown together, each of them long enough to be unique.
    pub fn option_labels<'v>(&self, values: impl Iterator<Item = &'v Value>) -> Vec<String> {
        self.layout.labels(&self.state.faces, values)
    }

    /// The error that a list of options has the same value twice, at these positions.
    pub(crate) fn offered_twice(&self, prompt: &str, value: &Value, (first, second): (usize, usize)) -> Fault {
        let label = self.option_label(value);
        let message =
            message!("{label} is offered twice for {prompt}, as option {} and as option {}", first + 1, second + 1);
        let help = "nobody could tell the two apart: offer each value once";
        Fault::rule(message).help(help)
    }

    fn written(&self, question: &Question<'_>) -> Decision {
        let to = |value: &Value| self.shown_to(question.seat, value);
        let options: Vec<Value> = question.options.values().iter().map(to).collect();
        let refused: Vec<Value> = question.refused.iter().map(|(value, _)| to(value)).collect();
        let mut labels = self.option_labels(options.iter().chain(&refused)).into_iter();
        let mut shown = |value: Value| OptionShown { label: labels.next().unwrap_or_default(), value };
        Decision {
            number: self.progress.decisions,
            seat: question.seat,
            prompt: question.prompt.into(),
            purpose: question.purpose.map(Into::into),
            setting: question.setting.map(Into::into),
            together: self.progress.together,
            secret: question.secret,
            by_clock: question.by_clock,
            deadline: question.deadline,
            options: options.into_iter().map(&mut shown).collect(),
            min: question.min,
            max: question.max,
            refused: refused
                .into_iter()
                .zip(question.refused)
                .map(|(value, (_, reason))| (shown(value), reason.clone()))
                .collect(),
            at: self.point(),
        }
    }

    pub(super) fn undecidable(&self, question: &Question<'_>) -> Fault {
        let who = question.seat.map_or("nobody".into(), |seat| Message::verbatim(seat.to_string()));
        let count = question.options.len();
        if count == 0 {
            let mut parts = vec![message!("{who} has no legal option for {}", question.prompt)];
            for (value, reason) in question.refused.iter().take(4) {
                let reason = if **reason == *NOT_ALLOWED { NOT_ALLOWED.into() } else { Message::verbatim(&**reason) };
                parts.push(message!("; {} was refused: {reason}", self.option_label(value)));
            }
            let help = "ask only where something can be chosen, or add an option to pass";
            return Fault::rule(Message::joined(parts)).help(help);
        }
        Fault::rule(message!(
            "{who} cannot choose {} to {} of {count} options for {}",
            question.min,
            question.max,
            question.prompt
        ))
    }
}

impl Table {
    /// Sets the variables of those settings whose values were set, for a run that does not ask for settings.
    ///
    /// # Errors
    /// A variable does not take its value.
    pub fn settle_settings(&mut self) -> Result<(), Fault> {
        let layout = self.layout().clone();
        for (setting, &variable) in layout.definition.asked.iter().zip(&layout.answers) {
            if let Some(value) = &setting.value {
                self.set_variable(variable, Value::Text(value.as_str().into()))?;
            }
        }
        Ok(())
    }

    /// The value that a setting was set to, or the answer that its variable holds; `None` where there is none yet.
    fn answer_of(&self, setting: &AskedSetting, variable: usize) -> Option<String> {
        if setting.value.is_some() {
            return setting.value.clone();
        }
        match self.variable(variable) {
            Value::Text(text) if !text.is_empty() => Some(text.to_string()),
            _ => None,
        }
    }
}

impl Play<'_> {
    /// Asks a player and gives the positions of the chosen options.
    ///
    /// # Errors
    /// There is no legal option; the number of options to choose is impossible; or the answerer stops the run with a
    /// [`Halt`].
    pub fn decide(&mut self, question: &Question<'_>) -> Result<&[usize], Fault> {
        let question = self.table.pose(question)?;
        if let Some(order) = self.table.order_by_places(&question) {
            return self.decide_in_order(&question, &order);
        }
        self.put(&question)?;
        self.intervene();
        Ok(&self.table.progress.chosen.0)
    }

    /// Asks with the options in another order; the positions that it gives are those of the original order.
    #[cold]
    fn decide_in_order(&mut self, question: &Question<'_>, order: &[usize]) -> Result<&[usize], Fault> {
        let values: Vec<Value> = order.iter().map(|&position| question.options.value(position)).collect();
        let by_clock = question.by_clock.and_then(|clock| order.iter().position(|&position| position == clock));
        self.put(&Question { options: Options::Values(&values), by_clock, ..*question })?;
        let chosen = &mut self.table.progress.chosen.0;
        chosen.iter_mut().for_each(|position| *position = order.get(*position).copied().unwrap_or(*position));
        self.intervene();
        Ok(&self.table.progress.chosen.0)
    }

    /// Gives a question that was posed to the answerer, and settles it with the answer.
    fn put(&mut self, question: &Question<'_>) -> Result<(), Fault> {
        let mut chosen = std::mem::take(&mut self.table.progress.chosen.0);
        chosen.clear();
        match self.answers.answer(self.table, question, &mut chosen) {
            Ok(()) => {
                self.table.settle(question, chosen);
                Ok(())
            }
            Err(halt) => Err(self.table.leave_open(question, halt)),
        }
    }

    /// Asks for every setting that is to be asked for and has no value yet, in the name of its layer; a setting that
    /// was set gets that value. The variables hold the answers, so that nothing is asked for twice.
    ///
    /// # Errors
    /// A setting has the value of one that it has to differ from; nothing is left to be answered; or as for
    /// [`decide`](Self::decide).
    pub fn ask_settings(&mut self) -> Result<(), Fault> {
        let layout = self.table.layout().clone();
        let caller = self.table.point();
        for (number, (setting, &variable)) in layout.definition.asked.iter().zip(&layout.answers).enumerate() {
            if matches!(self.table.variable(variable), Value::Text(text) if !text.is_empty()) {
                continue;
            }
            // Errors here point at the declaration of the setting.
            let at = ScriptPoint::of_setting(number);
            self.table.set_point(at);
            let answer = self.answer_for(&layout, setting)?;
            self.table.set_point(at);
            self.table.set_variable(variable, Value::Text(answer.into()))?;
        }
        self.table.set_point(caller);
        Ok(())
    }

    /// The value that a setting was set to, or the answer to asking for it now.
    fn answer_for(&mut self, layout: &Layout, setting: &AskedSetting) -> Result<String, Fault> {
        let AskedSetting { layer, key, ask, choices, value } = setting;
        let others: Vec<(&str, String)> = layout
            .definition
            .asked
            .iter()
            .zip(&layout.answers)
            .filter(|(other, _)| other.differs_from(setting))
            .filter_map(|(other, &variable)| Some((other.key.as_str(), self.table.answer_of(other, variable)?)))
            .collect();
        if let Some(value) = value {
            let Some((other, _)) = others.iter().find(|(_, other)| other == value) else { return Ok(value.clone()) };
            let message = message!("`{key}` and `{other}` of `{layer}` have to differ, and both are `{value}`");
            let help = message!("set one of them to another value, or to `{ASK}`");
            return Err(Fault::rule(message).help(help));
        }
        let left = choices.iter().filter(|choice| others.iter().all(|(_, other)| other != *choice));
        let values: Vec<Value> = left.map(|choice| Value::Text(choice.as_str().into())).collect();
        if values.is_empty() {
            let taken: Vec<String> = others.iter().map(|(other, value)| format!("`{other}` is `{value}`")).collect();
            let message = message!("no value is left for `{key}` of `{layer}`: {}", taken.join(", "));
            let help = "give it more `choices`, or set it or one of these to another value";
            return Err(Fault::rule(message).help(help));
        }
        let options = Options::Values(&values);
        let chosen = if ask.by_lot {
            self.table.draw_lots(&ask.prompt, options)?
        } else {
            let question = Question::of(Some(Seat(0)), &ask.prompt, options);
            self.decide(&Question { purpose: Some(layer), setting: Some(key), ..question })?
                .first()
                .copied()
                .unwrap_or(0)
        };
        Ok(self.table.option_label(&values[chosen]))
    }

    /// Whether the answerer will show why options of the next question are refused.
    pub fn wants_reasons(&self) -> bool {
        self.answers.wants_reasons(self.table)
    }

    /// Lets the answerer intervene, if the table's alarm has gone off. To be called after every word that is executed.
    pub fn intervene_if_due(&mut self) {
        if self.table.alarm_is_due() {
            self.intervene();
        }
    }

    #[cold]
    fn intervene(&mut self) {
        let before = self.table.changes();
        // The answerer sets the alarm anew.
        self.table.set_alarm(u64::MAX);
        self.answers.intervene(self.table);
        self.table.progress.changes_by_hand += self.table.changes() - before;
    }
}
