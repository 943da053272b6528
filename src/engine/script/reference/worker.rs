//! The thread on which a ruleset's interpreter lives.
//!
//! Rhai values can nest so deeply that dropping them needs a large stack, and they may not change threads. So each
//! interpreter has a thread of its own with a stack that no script within the limits can exhaust. The rest of the host
//! sends it work and gets plain data back: what comes back must be `Send`, and no Rhai value is.

use crate::diagnostic::{Diagnostic, Diagnostics, message};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// Stack size of the thread in bytes: reserved only, because pages that nobody touches cost nothing.
const STACK_BYTES: usize = 256 << 20;

type Job<State> = Box<dyn FnOnce(&mut State) + Send>;

/// A thread with a state that never leaves it.
pub struct Worker<State> {
    jobs: Sender<Job<State>>,
}

impl<State: 'static> Worker<State> {
    /// Starts a thread and builds the state on it.
    ///
    /// # Errors
    /// What `build` reports; the thread could not be started; `build` panicked.
    pub fn start(build: impl FnOnce() -> Result<State, Diagnostics> + Send + 'static) -> Result<Self, Diagnostics> {
        let (jobs, received): (Sender<Job<State>>, Receiver<Job<State>>) = channel();
        let (report, built) = channel();
        let body = move || {
            let state = catch_unwind(AssertUnwindSafe(build)).unwrap_or_else(|_| Err(crashed().into()));
            match state {
                Ok(mut state) => {
                    let _ = report.send(Ok(()));
                    while let Ok(job) = received.recv() {
                        job(&mut state);
                    }
                }
                Err(errors) => {
                    let _ = report.send(Err(errors));
                }
            }
        };
        let started = thread::Builder::new().name("rules".to_owned()).stack_size(STACK_BYTES).spawn(body);
        started.map_err(|error| Diagnostic::new(message!("no thread for the rules: {error}")))?;
        built.recv().unwrap_or_else(|_| Err(crashed().into()))?;
        Ok(Self { jobs })
    }

    /// Runs `work` on the state, and waits for its result.
    ///
    /// # Errors
    /// The work panicked; the state may be damaged, so the worker should be replaced.
    pub fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut State) -> T + Send + 'static,
    ) -> Result<T, Diagnostics> {
        let (report, done) = channel();
        let job: Job<State> = Box::new(move |state| {
            let _ = report.send(catch_unwind(AssertUnwindSafe(|| work(state))));
        });
        self.jobs.send(job).map_err(|_| crashed())?;
        match done.recv() {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(_)) | Err(_) => Err(crashed().into()),
        }
    }
}

fn crashed() -> Diagnostic {
    Diagnostic::new("the rules made the interpreter crash; nothing of the game is lost")
        .help("this is a fault of the host: please report it with the script that does it")
}
