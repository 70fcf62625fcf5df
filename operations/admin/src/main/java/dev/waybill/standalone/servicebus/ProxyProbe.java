package dev.waybill.standalone.servicebus;

import dev.waybill.standalone.config.NamespaceSettings.Proxy;
import dev.waybill.standalone.config.Secret;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/**
 * Asks a proxy for a tunnel as the SDK does, since the SDK reports each refusal of a proxy as silence, and also what it does not
 * understand: first without the password, then with it on the same connection.
 */
final class ProxyProbe {
    private static final int LONGEST_HEAD = 16 << 10;

    private final String namespace;
    private final Proxy proxy;
    private final Target target;
    private final Duration patience;

    ProxyProbe(String namespace, Proxy proxy, Target target, Duration patience) {
        this.namespace = namespace;
        this.proxy = proxy;
        this.target = target;
        this.patience = patience;
    }

    /** User and password, whose refusals the proxy counts. */
    String account() {
        return pair() + " at " + proxy;
    }

    /** What the proxy is asked for. */
    String target() {
        return target.toString();
    }

    /** Why the proxy opens no tunnel, or the tunnel does not lead to a trusted server; empty if it does. */
    Optional<Refusal> refused() {
        long end = System.nanoTime() + patience.toNanos();
        try (Socket socket = connected(end)) {
            ProxyAnswer first = asked(socket, "");
            if (proxy.user().isEmpty()) {
                return judged(first, false, socket);
            }
            if (first.opens()) {
                return refusal(
                        "the proxy " + proxy + " asks for no password, and the SDK gives up if it has one: remove"
                                + " the user of namespace." + namespace + ".proxy, and the password");
            }
            return first.wantsPassword() ? signedIn(socket, first, end) : judged(first, false, socket);
        } catch (UnknownHostException e) {
            return refusal("the proxy " + proxy + ": unknown host");
        } catch (SocketTimeoutException e) {
            return refusal("the proxy " + proxy + ": no connection within " + patience.toSeconds() + " s");
        } catch (IOException e) {
            return refusal("the proxy " + proxy + ": " + e.getMessage());
        }
    }

    private Optional<Refusal> signedIn(Socket socket, ProxyAnswer first, long end) throws IOException {
        if (!first.offersBasic()) {
            return judged(first, false, socket);
        }
        if (!first.isSpelledForTheSdk()) {
            return refusal("the proxy " + proxy
                    + " spells its header in another way than 'Proxy-Authenticate', which the" + " SDK does not read");
        }
        if (first.closes()) {
            try (Socket another = connected(end)) {
                return judged(asked(another, authorization()), true, another);
            }
        }
        try {
            socket.getInputStream().skipNBytes(first.length().orElse(0));
            ProxyAnswer second = asked(socket, authorization());
            if (!second.equals(ProxyAnswer.NONE)) {
                return judged(second, true, socket);
            }
        } catch (SocketException | EOFException e) {
            // As an end without an answer.
        }
        return refusal("the proxy " + proxy
                + " closes the connection after its 407 without 'Connection: close', and the SDK" + " gives up");
    }

    private Socket connected(long end) throws IOException {
        var socket = new DeadlineSocket(end);
        try {
            socket.connect(new InetSocketAddress(proxy.host(), proxy.port()), (int) patience.toMillis());
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private ProxyAnswer asked(Socket socket, String header) throws IOException {
        String request = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\nConnection: Keep-Alive\r\n"
                + header + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        return answer(socket);
    }

    // Less than a line is no answer.
    private static ProxyAnswer answer(Socket socket) throws IOException {
        var head = new StringBuilder();
        InputStream in = socket.getInputStream();
        try {
            while (head.length() < LONGEST_HEAD && !isWhole(head)) {
                int next = in.read();
                if (next < 0) {
                    return head.isEmpty() ? ProxyAnswer.NONE : new ProxyAnswer(head.toString(), false);
                }
                head.append((char) next);
            }
        } catch (SocketTimeoutException e) {
            return new ProxyAnswer(head.indexOf("\n") < 0 ? "" : head.toString(), false);
        }
        return new ProxyAnswer(head.toString(), isWhole(head));
    }

    private static boolean isWhole(StringBuilder head) {
        return endsWith(head, "\r\n\r\n") || endsWith(head, "\n\n");
    }

    private static boolean endsWith(StringBuilder head, String end) {
        return head.length() >= end.length() && head.indexOf(end, head.length() - end.length()) >= 0;
    }

    private Optional<Refusal> judged(ProxyAnswer answer, boolean withPassword, Socket socket) {
        if (answer.opens()) {
            return target.failure(socket)
                    .flatMap(failure -> refusal("through the proxy " + proxy + ": " + failure.words()));
        }
        if (answer.isEmpty() || answer.isCutShort()) {
            return refusal("the proxy " + proxy + " takes connections, and does not answer CONNECT " + target
                    + " within " + patience.toSeconds() + " s");
        }
        String advice = answer.wantsPassword()
                ? "; " + signIn(answer)
                : answer.forbids()
                        ? "; see the proxy's list of targets"
                        : answer.lacksReason() ? "; the SDK does not read a status without a reason" : "";
        return Optional.of(new Refusal(
                "the proxy " + proxy + " opens no tunnel to " + target + " for "
                        + proxy.user().map(user -> "user '" + user + "'").orElse("a client without a user") + ": "
                        + answer.status() + advice,
                withPassword && answer.wantsPassword()));
    }

    private String signIn(ProxyAnswer answer) {
        String check = proxy.user().isPresent()
                ? "check namespace." + namespace + ".proxy-password(-file)"
                : "give namespace." + namespace + ".proxy a user, and a proxy-password";
        return "it offers " + (answer.schemes().isEmpty() ? "no scheme" : answer.schemes()) + ": "
                + (answer.offersBasic() ? check : "only Basic is supported");
    }

    private static Optional<Refusal> refusal(String words) {
        return Optional.of(new Refusal(words, false));
    }

    private String authorization() {
        return "Proxy-Authorization: Basic "
                + Base64.getEncoder().encodeToString(pair().getBytes(StandardCharsets.UTF_8)) + "\r\n";
    }

    private String pair() {
        return proxy.user().orElse("") + ":"
                + proxy.password().map(Secret::text).orElse("");
    }

    /** {@code tls}: whether a connection begins with TLS. */
    record Target(String host, int port, boolean tls) {
        Optional<TlsProbe.Failure> failure(Socket connected) {
            return tls ? new TlsProbe(host, port).failure(connected) : Optional.empty();
        }

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /** {@code ofPassword}: of a password that was sent, so that each repetition counts against the proxy's account. */
    record Refusal(String words, boolean ofPassword) {}
}
