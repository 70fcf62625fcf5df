package dev.waybill.standalone.servicebus;

import dev.waybill.standalone.config.NamespaceSettings.Proxy;
import dev.waybill.standalone.config.Secret;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks a proxy for a tunnel, since the SDK reports each refusal of a proxy as silence. */
final class ProxyProbe {
    private final Proxy proxy;
    private final String target;

    ProxyProbe(Proxy proxy, String target) {
        this.proxy = proxy;
        this.target = target;
    }

    /** Why the proxy opens no tunnel; empty if it does. */
    Optional<String> refused(Socket socket, Duration patience) throws IOException {
        socket.connect(new InetSocketAddress(proxy.host(), proxy.port()), (int) patience.toMillis());
        socket.setSoTimeout((int) patience.toMillis());
        socket.getOutputStream().write(request().getBytes(StandardCharsets.UTF_8));
        @Nullable String status;
        try {
            status = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                    .readLine();
        } catch (SocketTimeoutException e) {
            return Optional.of("the proxy " + proxy + " takes connections, and does not answer CONNECT " + target
                    + " within " + patience.toSeconds() + " s");
        }
        if (status != null && status.matches("HTTP/1\\.[01] 200(?: .*)?")) {
            return Optional.empty();
        }
        return Optional.of("the proxy " + proxy + " opens no tunnel to " + target + " for "
                + proxy.user().map(user -> "user '" + user + "'").orElse("a client without a user") + ": "
                + (status == null ? "it closed the connection" : status));
    }

    private String request() {
        return "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n"
                + proxy.user().map(this::authorization).orElse("") + "\r\n";
    }

    private String authorization(String user) {
        String pair = user + ":" + proxy.password().map(Secret::text).orElse("");
        return "Proxy-Authorization: Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))
                + "\r\n";
    }
}
