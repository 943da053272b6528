//! The HTTP server of a live table. Only holders of a link get an answer.
//!
//! It listens on this computer alone unless the network is asked for. One thread runs all connections. Input from
//! strangers is bounded in size, time and number. Host and origin checks refuse requests sent by pages of other sites.

use super::hub::{HubMessage, LastState, Reply, expired_link_reply, locked, send};
use super::links::Links;
use crate::catalogue::{message, said, speak};
use crate::definition::Language;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::live::protocol::{self, FaceState, MAX_REQUEST_BYTES, StateFormat};
use crate::session::table_face::{Face, TableReach};
use http_body_util::channel::{Channel, Sender};
use http_body_util::{BodyExt as _, Either, Full, Limited};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::json;
use std::cell::RefCell;
use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};
use tokio::time::{sleep, timeout};

/// The most open connections, in all and for one IP address.
const MAX_CONNECTIONS: usize = 700;
const MAX_CONNECTIONS_PER_ADDRESS: usize = 400;

/// Time limit for a request to arrive.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// Time limit for a listener to read one event.
const EVENT_WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// Interval of the keep-alive comments in an event stream.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);

/// How long listeners have to receive the end of the session before the server stops.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(150);

/// Rate limit of each link (a token bucket): burst size, and requests added per second.
const BURST_SIZE: f64 = 40.0;
const REQUESTS_PER_SECOND: f64 = 20.0;

/// Security headers of every response: a browser may only show it, without caching or framing.
const SECURITY_HEADERS: [(&str, &str); 6] = [
    ("cache-control", "no-store"),
    ("content-security-policy", "frame-ancestors 'none'"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
];

type Body = Either<Full<Bytes>, EventStreamBody>;

/// The HTTP server; it runs until it is dropped.
pub struct Server {
    base: String,
    port: u16,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Server {
    /// Opens the port and starts the server's thread. A port that is taken is replaced by a free one.
    ///
    /// # Errors
    /// No port or no thread is available, or the computer is in no network.
    pub fn start(
        settings: &TableReach,
        language: Language,
        links: Arc<Mutex<Links>>,
        messages: SyncSender<HubMessage>,
        watching: Arc<Mutex<HashMap<Face, usize>>>,
    ) -> Result<Self, Diagnostics> {
        let cannot = |error: &dyn std::fmt::Display| {
            Diagnostics::from(Diagnostic::new(message!("the table cannot be opened on this computer: {error}")))
        };
        let home = if settings.is_in_network { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        let listener = TcpListener::bind((home, settings.port))
            .or_else(|_| TcpListener::bind((home, 0)))
            .map_err(|error| cannot(&error))?;
        listener.set_nonblocking(true).map_err(|error| cannot(&error))?;
        let port = listener.local_addr().map_err(|error| cannot(&error))?.port();
        let mut hosts = vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let mut base = format!("http://127.0.0.1:{port}");
        if settings.is_in_network {
            let Some(own) = own_address() else {
                let error = Diagnostic::new("this computer is in no network that others could reach it by");
                return Err(error.help("without `lan`, the table is open on this computer alone").into());
            };
            hosts.push(format!("{own}:{port}"));
            base = format!("http://{own}:{port}");
        }
        let mut origins: Vec<String> = hosts.iter().map(|host| format!("http://{host}")).collect();
        if let Some(address) = &settings.address {
            let address = address.trim_end_matches('/');
            let host = address.split_once("://").map_or(address, |(_, host)| host);
            hosts.push(host.to_owned());
            origins.push(address.to_owned());
            base = address.to_owned();
        }
        let state = ServerState {
            hosts,
            origins,
            links,
            messages,
            watching,
            buckets: RefCell::default(),
            open: RefCell::default(),
        };
        let (stop, stopped) = oneshot::channel();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()
            .map_err(|error| cannot(&error))?;
        let body = move || {
            speak(language);
            let local = tokio::task::LocalSet::new();
            local.block_on(&runtime, async move {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                tokio::task::spawn_local(accept(listener, Rc::new(state)));
                // Stopping the runtime cuts all connections, so listeners get a moment to be told first.
                let _ = stopped.await;
                sleep(SHUTDOWN_GRACE).await;
            });
        };
        let thread =
            thread::Builder::new().name("table-server".to_owned()).spawn(body).map_err(|error| cannot(&error))?;
        Ok(Self { base, port, stop: Some(stop), thread: Some(thread) })
    }

    /// The port the server listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The URL of a face. The designer's works on this computer alone.
    pub fn address(&self, face: Face, secret: &str) -> String {
        match face {
            Face::Designer => format!("http://127.0.0.1:{}/{secret}/", self.port),
            Face::Player(_) | Face::Screen => format!("{}/{secret}/", self.base),
        }
    }
}

impl Drop for Server {
    /// Stops the server, and waits until listeners have been told.
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// This computer's address in the network, or `None` without one. Nothing is sent to find it out.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // 192.0.2.1 is reserved for documentation (RFC 5737): the system only looks up the route.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|address| !address.is_unspecified())
}

/// State shared by all connections.
struct ServerState {
    hosts: Vec<String>,
    origins: Vec<String>,
    links: Arc<Mutex<Links>>,
    messages: SyncSender<HubMessage>,
    watching: Arc<Mutex<HashMap<Face, usize>>>,
    /// The token bucket of each face: requests left, and when they were last counted.
    buckets: RefCell<HashMap<Face, (f64, Instant)>>,
    /// The number of open connections of each address.
    open: RefCell<HashMap<IpAddr, usize>>,
}

async fn accept(listener: tokio::net::TcpListener, state: Rc<ServerState>) {
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            // Out of file descriptors: wait for one to close.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Some(place) = OpenConnection::of(&state, from) else { continue };
        let _ = stream.set_nodelay(true);
        tokio::task::spawn_local(async move {
            let (state, is_local) = (place.state.clone(), place.from.is_loopback());
            let service = service_fn(move |request| {
                let state = state.clone();
                async move { Ok::<_, Infallible>(state.serve(request, is_local).await) }
            });
            let mut http = hyper::server::conn::http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(REQUEST_TIMEOUT).max_headers(64).max_buf_size(16 << 10);
            // A client that disconnects early is no error.
            let _ = http.serve_connection(TokioIo::new(stream), service).await;
            drop(place);
        });
    }
}

/// An open connection, counted until it is dropped.
struct OpenConnection {
    state: Rc<ServerState>,
    from: IpAddr,
}

impl OpenConnection {
    fn of(state: &Rc<ServerState>, from: SocketAddr) -> Option<Self> {
        let mut open = state.open.borrow_mut();
        let all: usize = open.values().sum();
        let own = open.entry(from.ip()).or_default();
        if all >= MAX_CONNECTIONS || *own >= MAX_CONNECTIONS_PER_ADDRESS {
            return None;
        }
        *own += 1;
        Some(Self { state: state.clone(), from: from.ip() })
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut open = self.state.open.borrow_mut();
        if let Some(count) = open.get_mut(&self.from) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.from);
            }
        }
    }
}

impl ServerState {
    async fn serve(&self, request: Request<Incoming>, is_local: bool) -> Response<Body> {
        let mut response = self.answer(request, is_local).await;
        for (name, value) in SECURITY_HEADERS {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }

    /// Answers a request. The designer's link is unknown to any computer but this one.
    async fn answer(&self, request: Request<Incoming>, is_local: bool) -> Response<Body> {
        if let Err(response) = self.is_from_here(request.headers(), request.method()) {
            return *response;
        }
        let path = request.uri().path().to_owned();
        let mut parts = path.trim_start_matches('/').splitn(2, '/');
        let (secret, what) = (parts.next().unwrap_or_default(), parts.next());
        let face = locked(&self.links).face(secret);
        let face = face.filter(|face| is_local || *face != Face::Designer);
        let Some(face) = face else {
            let status = if path == "/" { StatusCode::OK } else { StatusCode::NOT_FOUND };
            return text_response(status, said("a table of Houserule: open the link that you were given"));
        };
        let Some(what) = what else {
            // A link without its final slash: relative addresses of the page need it.
            let mut response = text_response(StatusCode::PERMANENT_REDIRECT, said("the link ends with a slash"));
            if let Ok(below) = HeaderValue::try_from(format!("/{secret}/")) {
                response.headers_mut().insert(header::LOCATION, below);
            }
            return response;
        };
        match (request.method(), what) {
            (&Method::GET, "") => self.page(face).await,
            (&Method::GET, "events") => {
                let wanted = match request.uri().query() {
                    Some("as=view") => StateFormat::View,
                    _ => StateFormat::Drawing,
                };
                self.events(face, wanted).await
            }
            (&Method::POST, "do") => self.act(face, request).await,
            (_, "" | "events" | "do") => {
                text_response(StatusCode::METHOD_NOT_ALLOWED, said("this is not asked in that way"))
            }
            _ => text_response(StatusCode::NOT_FOUND, said("there is nothing here")),
        }
    }

    /// Refuses requests sent by pages of other sites, and those addressed to another host name.
    fn is_from_here(&self, headers: &HeaderMap, method: &Method) -> Result<(), Box<Response<Body>>> {
        let value = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        if !value(header::HOST).is_some_and(|host| self.hosts.iter().any(|known| known == host)) {
            return Err(Box::new(text_response(
                StatusCode::MISDIRECTED_REQUEST,
                said("this server is not known by that name"),
            )));
        }
        if *method == Method::GET {
            return Ok(());
        }
        let is_own = match value(header::ORIGIN) {
            Some(origin) => self.origins.iter().any(|known| known == origin),
            // Browsers always send an origin; other programs need not.
            None => headers.get("sec-fetch-site").is_none_or(|site| site == "same-origin"),
        };
        if is_own {
            Ok(())
        } else {
            Err(Box::new(text_response(StatusCode::FORBIDDEN, said("requests of another site are refused"))))
        }
    }

    async fn page(&self, face: Face) -> Response<Body> {
        let (reply, page) = oneshot::channel();
        if !send(&self.messages, HubMessage::Page(face, reply)) {
            return busy_response();
        }
        match page.await {
            Ok(page) => whole(StatusCode::OK, "text/html; charset=utf-8", page),
            Err(_) => busy_response(),
        }
    }

    async fn events(&self, face: Face, wanted: StateFormat) -> Response<Body> {
        if !self.may_ask(face) {
            return json_response(429, &json!({ "error": said("too many requests at once") }));
        }
        let (reply, states) = oneshot::channel();
        if !send(&self.messages, HubMessage::Watch(face, reply)) {
            return busy_response();
        }
        let Ok(states) = states.await else { return busy_response() };
        let (sender, body) = Channel::new(1);
        let task = tokio::task::spawn_local(stream(sender, states, wanted)).abort_handle();
        let watched = EventStreamBody { body, task, _watcher: EventStreamGuard::of(self, face) };
        let mut response = Response::new(Either::Right(watched));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        response
    }

    async fn act(&self, face: Face, request: Request<Incoming>) -> Response<Body> {
        let arrived = Instant::now();
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is_json =
            kind.and_then(|kind| kind.split(';').next()).is_some_and(|kind| kind.trim() == "application/json");
        if !is_json {
            return json_response(415, &json!({ "error": said("a request is JSON") }));
        }
        if !self.may_ask(face) {
            return json_response(429, &json!({ "error": said("too many requests at once") }));
        }
        let body = Limited::new(request.into_body(), MAX_REQUEST_BYTES).collect();
        let Ok(Ok(body)) = timeout(REQUEST_TIMEOUT, body).await else {
            return json_response(413, &json!({ "error": said("the request is too long, or came too slowly") }));
        };
        let request = match protocol::read_request(&body.to_bytes()) {
            Ok(request) => request,
            Err(refusal) => {
                return json_response(400, &json!({ "error": protocol::complaint(refusal.reason(), face) }));
            }
        };
        let (reply, answer) = oneshot::channel();
        if !send(&self.messages, HubMessage::Do(face, request, arrived, reply)) {
            return busy_response();
        }
        let Reply { status, body } = answer.await.unwrap_or_else(|_| expired_link_reply());
        json_response(status, &body)
    }

    /// Takes a token from the face's bucket. `false` where it is empty.
    fn may_ask(&self, face: Face) -> bool {
        let mut buckets = self.buckets.borrow_mut();
        let (left, counted) = buckets.entry(face).or_insert((BURST_SIZE, Instant::now()));
        *left = (*left + counted.elapsed().as_secs_f64() * REQUESTS_PER_SECOND).min(BURST_SIZE);
        *counted = Instant::now();
        let may = *left >= 1.0;
        if may {
            *left -= 1.0;
        }
        may
    }
}

/// The body of an event stream. Dropping it, when the connection closes, ends the task that feeds it.
struct EventStreamBody {
    body: Channel<Bytes, Infallible>,
    task: tokio::task::AbortHandle,
    _watcher: EventStreamGuard,
}

impl hyper::body::Body for EventStreamBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }
}

impl Drop for EventStreamBody {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// One open event stream, counted in `watching` until it is dropped.
struct EventStreamGuard {
    watching: Arc<Mutex<HashMap<Face, usize>>>,
    messages: SyncSender<HubMessage>,
    face: Face,
}

impl EventStreamGuard {
    fn of(state: &ServerState, face: Face) -> Self {
        let watcher = Self { watching: state.watching.clone(), messages: state.messages.clone(), face };
        watcher.count(1);
        watcher
    }

    fn count(&self, change: isize) {
        let mut watching = locked(&self.watching);
        let count = watching.entry(self.face).or_default();
        *count = count.saturating_add_signed(change);
        drop(watching);
        send(&self.messages, HubMessage::Changed);
    }
}

impl Drop for EventStreamGuard {
    fn drop(&mut self) {
        self.count(-1);
    }
}

/// Sends states as events, each as the changes since the last one sent. A slow client gets only the latest state.
async fn stream(mut sender: Sender<Bytes, Infallible>, mut states: watch::Receiver<LastState>, wanted: StateFormat) {
    let mut known: Option<Arc<FaceState>> = None;
    loop {
        let state = states.borrow_and_update().clone();
        if let Some(event) = state.and_then(|state| state.event(&mut known, wanted))
            && !sent(&mut sender, event).await
        {
            return;
        }
        loop {
            match timeout(KEEP_ALIVE_INTERVAL, states.changed()).await {
                Ok(Ok(())) => break,
                Ok(Err(_)) => {
                    sent(&mut sender, Bytes::from_static(b"event: closed\ndata: {}\n\n")).await;
                    return;
                }
                Err(_) if sent(&mut sender, Bytes::from_static(b": still there\n\n")).await => {}
                Err(_) => return,
            }
        }
    }
}

/// Sends an event. Whether the client read it in time.
async fn sent(sender: &mut Sender<Bytes, Infallible>, event: Bytes) -> bool {
    matches!(timeout(EVENT_WRITE_TIMEOUT, sender.send_data(event)).await, Ok(Ok(())))
}

fn whole(status: StatusCode, kind: &'static str, text: String) -> Response<Body> {
    let mut response = Response::new(Either::Left(Full::new(text.into())));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

fn text_response(status: StatusCode, text: &str) -> Response<Body> {
    whole(status, "text/plain; charset=utf-8", format!("{text}\n"))
}

fn json_response(status: u16, body: &serde_json::Value) -> Response<Body> {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    whole(status, "application/json", body.to_string())
}

fn busy_response() -> Response<Body> {
    json_response(503, &json!({ "error": said("the table is busy; try again") }))
}
