//! What `docs/clusters.md` shows for engines that start programs: each script is run as it stands there, with fewer
//! games, and gives exactly the whole.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const GAME: &str = "up-or-down";
const GAMES: &str = "12";

/// The block of the page with that name, for few games in four parts.
fn script(name: &str) -> String {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/clusters.md")).unwrap();
    let block = page
        .split("\n```")
        .find_map(|block| block.split_once('\n').filter(|(info, _)| info.ends_with(&format!(" {name}"))));
    let (_, block) = block.unwrap_or_else(|| panic!("no block `{name}`"));
    let few = [
        ("1000000", GAMES),
        ("SHARDS = 64", "SHARDS = 4"),
        ("{}/16", "{}/4"),
        ("ID/16", "ID/4"),
        ("{1..16}", "{1..4}"),
    ];
    few.iter().fold(block.to_owned(), |block, (many, few)| block.replace(many, few))
}

/// A folder with the rules that the page plays, and a path that finds the program.
fn project() -> (TempDir, String) {
    let project = tempfile::tempdir().unwrap();
    for part in ["games", "variants"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(part).join(GAME);
        let to = project.path().join(part).join(GAME);
        fs::create_dir_all(&to).unwrap();
        for entry in fs::read_dir(from).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file()) {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
    let program = Path::new(env!("CARGO_BIN_EXE_houserule")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(program).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).unwrap().into_string().unwrap();
    (project, path)
}

fn command(program: &str, project: &Path, path: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(project).env("PATH", path).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

#[track_caller]
fn succeeds(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Whether a program is there and knows what it needs.
fn is_there(program: &str, arguments: &[&str], says: &str) -> bool {
    let output = Command::new(program).args(arguments).stderr(Stdio::null()).stdin(Stdio::null()).output();
    output.is_ok_and(|output| output.status.success() && String::from_utf8_lossy(&output.stdout).contains(says))
}

/// The report of all parts is that of the whole.
#[track_caller]
fn tells_the_whole(project: &Path, path: &str) {
    let json = |arguments: &[&str]| -> Value {
        let output = command("houserule", project, path).args(arguments).stdout(Stdio::piped()).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
    };
    let whole = json(&["sim", GAME, "-p", "4", "-v", "greenhorn", "-n", GAMES, "--json"]);
    let mut parts: Vec<String> = fs::read_dir(project.join("parts"))
        .unwrap()
        .map(|entry| format!("parts/{}", entry.unwrap().file_name().to_str().unwrap()))
        .collect();
    parts.sort_unstable();
    assert_eq!(parts, ["parts/1", "parts/2", "parts/3", "parts/4"]);
    let mut arguments = vec!["report", "--json"];
    arguments.extend(parts.iter().map(String::as_str));
    assert_eq!(json(&arguments), whole);
    assert_eq!(whole["games"]["finished"].to_string(), GAMES);
}

/// With processes that know nothing of each other, as on a cluster: tasks of the array job at the same time.
#[cfg(unix)]
#[test]
fn an_array_job_gives_the_whole() {
    let (project, path) = project();
    fs::write(project.path().join("shard.sbatch"), script("slurm")).unwrap();
    let tasks = (1..=4).map(|task| {
        let mut task_command = command("bash", project.path(), &path);
        task_command.arg("shard.sbatch");
        task_command.env("SLURM_ARRAY_TASK_ID", task.to_string());
        task_command.spawn().unwrap()
    });
    for task in tasks.collect::<Vec<_>>() {
        let output = task.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    tells_the_whole(project.path(), &path);
}

/// Where GNU parallel is at hand.
#[cfg(unix)]
#[test]
fn gnu_parallel_gives_the_whole() {
    if !is_there("parallel", &["--version"], "GNU parallel") {
        return;
    }
    let (project, path) = project();
    succeeds(command("bash", project.path(), &path).args(["-e", "-c", &script("parallel")]));
    assert!(project.path().join("report.html").exists());
    tells_the_whole(project.path(), &path);
}

/// Where Python with Dask is at hand: a local cluster of two workers. `HOUSERULE_PYTHON` names a Python that has it.
#[test]
fn a_cluster_of_two_workers_gives_the_whole() {
    let python = std::env::var("HOUSERULE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if !is_there(&python, &["-c", "import importlib.util as u; print(bool(u.find_spec('distributed')))"], "True") {
        return;
    }
    let (project, path) = project();
    fs::write(project.path().join("shards.py"), script("dask")).unwrap();
    succeeds(command(&python, project.path(), &path).arg("shards.py"));
    assert!(project.path().join("report.html").exists());
    tells_the_whole(project.path(), &path);
}
