package dev.waybill.standalone.servicebus;

import dev.waybill.standalone.config.NamespaceSettings.Proxy;
import dev.waybill.standalone.config.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Asks a proxy for a tunnel, since the SDK reports each refusal of a proxy as silence. */
final class ProxyProbe {
    private static final int LONGEST_HEAD = 16 << 10;
    private static final String END = "\r\n\r\n";
    private static final int LONGEST_STATUS = 200;
    private static final Pattern OPENED = Pattern.compile("HTTP/1\\.[01] 200(?: .*)?");
    private static final Pattern REFUSED = Pattern.compile("HTTP/1\\.[01] (40[37])(?: .*)?");
    private static final Pattern CHALLENGES = Pattern.compile("(?im)^Proxy-Authenticate:(.*)$");

    /** A scheme stands alone or before its parameters; a parameter stands before an equals sign. */
    private static final Pattern SCHEME = Pattern.compile("(?:^|,)\\s*([A-Za-z-]+)(?=\\s+[^=,\\s]|\\s*(?:,|$))");

    private final String namespace;
    private final Proxy proxy;
    private final String target;
    private final Duration patience;

    ProxyProbe(String namespace, Proxy proxy, String target, Duration patience) {
        this.namespace = namespace;
        this.proxy = proxy;
        this.target = target;
        this.patience = patience;
    }

    /** What the proxy is asked for, and as whom. */
    String question() {
        return target + " by " + proxy + " as " + proxy.user().orElse("");
    }

    String password() {
        return proxy.password().map(Secret::text).orElse("");
    }

    /** Why the proxy opens no tunnel; empty if it does. */
    Optional<Refusal> refused() {
        long end = System.nanoTime() + patience.toNanos();
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(proxy.host(), proxy.port()), (int) patience.toMillis());
            socket.getOutputStream().write(request().getBytes(StandardCharsets.UTF_8));
            return judged(head(socket, end));
        } catch (UnknownHostException e) {
            return refusal("the proxy " + proxy + ": unknown host");
        } catch (SocketTimeoutException e) {
            return refusal("the proxy " + proxy + ": no connection within " + patience.toSeconds() + " s");
        } catch (IOException e) {
            return refusal("the proxy " + proxy + ": " + e.getMessage());
        }
    }

    // All of it has one deadline, as a proxy may send a byte now and then. Less than a line is no answer.
    private static String head(Socket socket, long end) throws IOException {
        var head = new StringBuilder();
        InputStream in = socket.getInputStream();
        try {
            while (head.length() < LONGEST_HEAD && !isWhole(head)) {
                socket.setSoTimeout((int)
                        Math.max(1, Duration.ofNanos(end - System.nanoTime()).toMillis()));
                int next = in.read();
                if (next < 0) {
                    return head.isEmpty() ? "it closed the connection" : head.toString();
                }
                if (System.nanoTime() - end > 0) {
                    throw new SocketTimeoutException("late");
                }
                head.append((char) next);
            }
        } catch (SocketTimeoutException e) {
            return head.indexOf("\n") < 0 ? "" : head.toString();
        }
        return head.toString();
    }

    private static boolean isWhole(StringBuilder head) {
        return head.length() >= END.length() && head.indexOf(END, head.length() - END.length()) >= 0;
    }

    private Optional<Refusal> judged(String head) {
        String line = head.lines().findFirst().orElse("");
        String status = line.length() > LONGEST_STATUS ? line.substring(0, LONGEST_STATUS) + "…" : line;
        if (OPENED.matcher(status).matches() && head.endsWith(END)) {
            return Optional.empty();
        }
        if (status.isEmpty() || OPENED.matcher(status).matches()) {
            return refusal("the proxy " + proxy + " takes connections, and does not answer CONNECT " + target
                    + " within " + patience.toSeconds() + " s");
        }
        Matcher known = REFUSED.matcher(status);
        boolean ofPassword = known.matches() && known.group(1).equals("407");
        String advice = ofPassword ? "; " + signIn(head) : known.matches() ? "; see the proxy's list of targets" : "";
        return Optional.of(new Refusal(
                "the proxy " + proxy + " opens no tunnel to " + target + " for "
                        + proxy.user().map(user -> "user '" + user + "'").orElse("a client without a user") + ": "
                        + status + advice,
                ofPassword));
    }

    private String signIn(String head) {
        String offered = CHALLENGES
                .matcher(head)
                .results()
                .flatMap(header -> SCHEME.matcher(header.group(1).strip()).results())
                .map(scheme -> scheme.group(1))
                .distinct()
                .collect(Collectors.joining(", "));
        boolean basic = offered.isEmpty() || offered.matches("(?i).*\\bBasic\\b.*");
        String check = proxy.user().isPresent()
                ? "check namespace." + namespace + ".proxy-password(-file)"
                : "give namespace." + namespace + ".proxy a user, and a proxy-password";
        return "it offers " + (offered.isEmpty() ? "no scheme" : offered) + ": "
                + (basic ? check : "only Basic is supported");
    }

    private static Optional<Refusal> refusal(String words) {
        return Optional.of(new Refusal(words, false));
    }

    private String request() {
        return "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n"
                + proxy.user().map(this::authorization).orElse("") + "\r\n";
    }

    private String authorization(String user) {
        String pair = user + ":" + password();
        return "Proxy-Authorization: Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))
                + "\r\n";
    }

    /** {@code ofPassword}: each repetition counts against the proxy's account. */
    record Refusal(String words, boolean ofPassword) {}
}
