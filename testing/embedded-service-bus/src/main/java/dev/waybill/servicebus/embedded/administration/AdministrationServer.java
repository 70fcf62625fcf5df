package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.loop.EventLoop;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.security.Authority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes requests over HTTP, and over HTTPS on the same port if the broker has an identity. Thread-safe. */
public final class AdministrationServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AdministrationServer.class);
    private static final int BACKLOG = 128;
    private static final int MOST_CLIENTS = 256;
    private static final int IDLE_MILLIS = 120_000;

    private final ServerSocket listener;
    private final EventLoop loop;
    private final AdministrationApi api;
    private final Authority authority;
    private final @Nullable SSLContext identity;
    private final BooleanSupplier healthy;
    private final Conversations conversations = new Conversations(MOST_CLIENTS);

    /**
     * Listens on a port; 0 means any free one.
     *
     * @param healthy whether the broker takes clients now; asked by the threads of requests
     */
    public AdministrationServer(
            Namespace namespace,
            InetAddress address,
            int port,
            Authority authority,
            @Nullable SSLContext identity,
            BooleanSupplier healthy)
            throws IOException {
        this.loop = namespace.context().loop();
        this.api = new AdministrationApi(
                namespace, Instant.ofEpochMilli(loop.clock().wallMillis()));
        this.authority = authority;
        this.identity = identity;
        this.healthy = healthy;
        this.listener = new ServerSocket(port, BACKLOG, address);
        daemon("embedded-service-bus-administration", this::accept);
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** The port it listens on. */
    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                converse(listener.accept());
            } catch (IOException e) {
                log.debug("Could not accept an administration client: {}", e.toString());
            }
        }
    }

    private void converse(Socket client) {
        HttpConversation conversation = new HttpConversation(client, identity, this::answer);
        if (!prepared(client) || !conversations.admit(conversation)) {
            conversation.close();
            return;
        }
        daemon("embedded-service-bus-administration-" + client.getPort(), () -> {
            try {
                conversation.run();
            } finally {
                conversations.remove(conversation);
            }
        });
    }

    private static boolean prepared(Socket client) {
        try {
            client.setSoTimeout(IDLE_MILLIS);
            client.setTcpNoDelay(true);
            return true;
        } catch (IOException e) {
            log.debug("An administration client disconnected before its request: {}", e.toString());
            return false;
        }
    }

    private Reply answer(HttpRequest http) {
        try {
            Request request = request(http);
            if (request.asksForHealth()) {
                return healthy.getAsBoolean() ? Reply.healthy() : Reply.unhealthy();
            }
            if (!Set.of("GET", "HEAD", "PUT", "DELETE").contains(http.method())) {
                return Reply.error(405, "There is no " + http.method() + " here");
            }
            new Access(authority, http, loop.clock().wallMillis() / 1_000).require(request);
            return loop.call(() -> api.handle(request));
        } catch (Refused why) {
            return Reply.error(401, why.description());
        } catch (IllegalArgumentException e) {
            return Reply.error(400, "" + e.getMessage());
        } catch (IllegalStateException e) {
            return Reply.error(503, "The broker has been stopped");
        } catch (RuntimeException e) {
            // Without a reply the client would time out; the log has the stack trace.
            log.error("Administration request failed: {} {}", http.method(), http.target(), e);
            return Reply.error(500, "The request could not be handled: " + e);
        }
    }

    private Request request(HttpRequest http) {
        URI uri = URI.create("http://localhost" + http.target());
        List<String> path = new ArrayList<>();
        for (String segment : uri.getRawPath().split("/", -1)) {
            if (!segment.isEmpty()) {
                path.add(URLDecoder.decode(segment, StandardCharsets.UTF_8));
            }
        }
        String host = http.header("Host");
        var address =
                new Request.Address("https://" + (host == null ? "localhost" : host), path, parameters(uri.getQuery()));
        return new Request(
                http.method().equals("HEAD") ? "GET" : http.method(),
                address,
                http.header("If-Match") != null,
                Instant.ofEpochMilli(loop.clock().wallMillis()),
                http.body().length == 0 ? null : XmlElement.parse(http.body()));
    }

    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query == null ? new String[0] : query.split("&", -1)) {
            int at = pair.indexOf('=');
            if (at > 0) {
                parameters.put(pair.substring(0, at), pair.substring(at + 1));
            }
        }
        return parameters;
    }

    @Override
    public void close() {
        try {
            listener.close();
            conversations.closeAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
