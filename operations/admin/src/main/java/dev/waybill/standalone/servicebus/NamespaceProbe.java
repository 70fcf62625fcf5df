package dev.waybill.standalone.servicebus;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.NamespaceSettings.Proxy;
import dev.waybill.standalone.config.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks whether the address of a namespace answers. */
final class NamespaceProbe {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Pattern ENDPOINT = Pattern.compile("(?i)(?:^|;)\\s*Endpoint\\s*=\\s*([^;]+)");
    private static final Pattern EMULATOR = Pattern.compile("(?i)(?:^|;)\\s*UseDevelopmentEmulator\\s*=\\s*true");
    private static final int AMQP = 5672;

    private final Network network;
    private final ProxyProbe.Target target;
    private final Optional<Proxy> proxy;

    NamespaceProbe(NamespaceSettings namespace) {
        network = new Network(namespace);
        String connection = connection(namespace);
        Optional<URI> endpoint = endpoint(connection);
        String host = host(namespace);
        proxy = network.proxyTo(host);
        boolean plain = EMULATOR.matcher(connection).find();
        int usual = plain ? AMQP : network.port();
        int port = endpoint.map(URI::getPort).filter(given -> given > 0).orElse(usual);
        target = new ProxyProbe.Target(host, port, !plain);
    }

    /** The host of a namespace, by its name or its connection string. */
    static String host(NamespaceSettings namespace) {
        return namespace
                .host()
                .orElseGet(
                        () -> endpoint(connection(namespace)).map(URI::getHost).orElse(""));
    }

    private static String connection(NamespaceSettings namespace) {
        return namespace.signIn().connectionString().map(Secret::text).orElse("");
    }

    private static Optional<URI> endpoint(String connection) {
        Matcher endpoint = ENDPOINT.matcher(connection);
        return endpoint.find() ? Optional.of(URI.create(endpoint.group(1).strip())) : Optional.empty();
    }

    String host() {
        return target.host();
    }

    int port() {
        return target.port();
    }

    /** Why a connection to the namespace, or to the proxy on the way, fails; empty if it succeeds. */
    Optional<String> refused() {
        Optional<ProxyProbe> way = way();
        return way.isPresent()
                ? way.get().refused().map(ProxyProbe.Refusal::words)
                : direct().map(why -> why + network.excluded(host()));
    }

    /** Why a connection may not begin, which the SDK would report as silence; empty if it may. Repeats a refusal without asking. */
    Optional<String> forbidden() {
        Optional<ProxyProbe> way = way();
        return way.isPresent() ? ProxyGate.refused(way.get()) : untrusted();
    }

    private Optional<String> direct() {
        try (Socket socket = connected()) {
            return target.failure(socket).map(TlsProbe.Failure::words);
        } catch (SocketTimeoutException e) {
            return Optional.of("no connection within " + CONNECT.toSeconds() + " s");
        } catch (UnknownHostException e) {
            return Optional.of("unknown host");
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    // The SDK itself tells other failures without a proxy.
    private Optional<String> untrusted() {
        if (!target.tls()) {
            return Optional.empty();
        }
        try (Socket socket = connected()) {
            return target.failure(socket).filter(TlsProbe.Failure::ofTrust).map(TlsProbe.Failure::words);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Socket connected() throws IOException {
        var socket = new DeadlineSocket(System.nanoTime() + CONNECT.toNanos());
        try {
            socket.connect(new InetSocketAddress(host(), port()), (int) CONNECT.toMillis());
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** The proxy on the way; empty without one. */
    Optional<ProxyProbe> way() {
        return proxy.map(found -> network.probe(found, target));
    }

    /** The proxy for a sentence; nothing without one. */
    String through() {
        return proxy.map(found -> " through the proxy " + found).orElse("");
    }

    /** The same check as a command of the shell. */
    String command() {
        return proxy.map(found -> "curl -v -x http://" + found
                        + found.user()
                                .map(user -> " -U '" + user.replace("'", "'\\''") + "'")
                                .orElse("") + " https://" + target + "/   # from this machine")
                .orElse("nc -vz " + host() + " " + port()
                        + "   # from this machine: name, firewall, private endpoint, status of the service");
    }

    /** Whether the server accepts connections but never answers. */
    static boolean isSilence(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            boolean timeout = cause instanceof TimeoutException
                    || (cause instanceof AmqpException amqp
                            && AmqpErrorCondition.TIMEOUT_ERROR.equals(amqp.getErrorCondition()))
                    || String.valueOf(cause.getMessage()).startsWith("Timeout on blocking read");
            if (timeout) {
                return true;
            }
        }
        return false;
    }
}
