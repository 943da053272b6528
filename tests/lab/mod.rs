//! The lab: what is counted of thousands of games, and what is said of it.

mod climbed;
mod clusters;
mod compared;
mod counted;
mod files;
mod followed;
mod games;
mod time_limit;
mod trust;
