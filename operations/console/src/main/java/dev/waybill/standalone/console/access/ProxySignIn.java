package dev.waybill.standalone.console.access;

import dev.waybill.standalone.config.ConsoleSettings;
import io.javalin.http.Context;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the person from proxy headers. It requires both a trusted address and the secret, since either alone can be forged.
 * Thread-safe.
 */
final class ProxySignIn {
    private static final Logger LOG = LoggerFactory.getLogger(ProxySignIn.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}");
    private static final long TOLD_EVERY_NANOS = 10_000_000_000L;

    private final ConsoleSettings.Proxy proxy;
    private final java.util.Set<String> addresses;
    private final LongSupplier nanos;
    private final AtomicLong toldAt;

    ProxySignIn(ConsoleSettings.Proxy proxy, LongSupplier nanos) {
        this.proxy = proxy;
        this.addresses = proxy.addresses().stream().map(Addresses::plain).collect(Collectors.toSet());
        this.nanos = nanos;
        this.toldAt = new AtomicLong(nanos.getAsLong() - TOLD_EVERY_NANOS);
    }

    boolean isFromProxy(Context request) {
        return addresses.contains(Addresses.plain(request.req().getRemoteAddr()));
    }

    /** The person; empty without a valid header. */
    Optional<String> person(Context request) {
        List<String> names = headers(request, proxy.userHeader());
        if (names.isEmpty()) {
            return Optional.empty();
        }
        List<String> secrets = headers(request, proxy.secretHeader());
        boolean believed = isFromProxy(request)
                && secrets.size() == 1
                && Secrets.areEqual(proxy.secret().text(), secrets.get(0))
                && names.size() == 1
                && NAME.matcher(names.get(0)).matches();
        if (!believed) {
            tell(request);
            return Optional.empty();
        }
        return Optional.of(names.get(0));
    }

    // Limited, because a sender could fill the log.
    private void tell(Context request) {
        long last = toldAt.get();
        long now = nanos.getAsLong();
        if (now - last >= TOLD_EVERY_NANOS && toldAt.compareAndSet(last, now)) {
            LOG.warn(
                    "Ignored the header {} from {}: not exactly one name, a wrong secret, or not an"
                            + " address of console.proxy.addresses",
                    proxy.userHeader(),
                    request.req().getRemoteAddr());
        }
    }

    private static List<String> headers(Context request, String name) {
        return Collections.list(request.req().getHeaders(name));
    }
}
