package dev.waybill.standalone.servicebus;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import dev.waybill.standalone.config.NamespaceSettings;
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
    private static final int AMQPS = 5671;
    private static final int AMQP = 5672;

    private final String host;
    private final int port;

    NamespaceProbe(NamespaceSettings namespace) {
        String connection =
                namespace.signIn().connectionString().map(Secret::text).orElse("");
        Matcher endpoint = ENDPOINT.matcher(connection);
        @Nullable URI told = endpoint.find() ? URI.create(endpoint.group(1).strip()) : null;
        host = namespace.host().orElseGet(() -> told == null ? "" : String.valueOf(told.getHost()));
        int usual = EMULATOR.matcher(connection).find() ? AMQP : AMQPS;
        port = told == null || told.getPort() < 0 ? usual : told.getPort();
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    /** Why a connection fails; empty if it succeeds. */
    Optional<String> refused() {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), (int) CONNECT.toMillis());
            return Optional.empty();
        } catch (SocketTimeoutException e) {
            return Optional.of("no connection within " + CONNECT.toSeconds() + " s");
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage());
            return Optional.of(e instanceof UnknownHostException ? "unknown host" : message);
        }
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
