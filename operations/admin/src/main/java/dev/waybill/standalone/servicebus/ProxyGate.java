package dev.waybill.standalone.servicebus;

import dev.waybill.standalone.servicebus.ProxyProbe.Refusal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a proxy before each connection of the process. The SDK would report a refusal as silence, and repeat a wrong password every
 * two seconds, which locks an account. Thread-safe.
 */
final class ProxyGate {
    /** Connections that begin together share an answer. */
    private static final Duration SHARED = Duration.ofSeconds(1);

    static final Duration FIRST = Duration.ofSeconds(30);
    static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Map<String, ProxyGate> ALL = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;
    private Optional<Refusal> answer = Optional.empty();
    private @Nullable String password;
    private Duration kept = Duration.ZERO;
    private long askedAt;

    ProxyGate(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Why no connection may begin now; empty if one may. */
    static Optional<String> refused(ProxyProbe probe) {
        return ALL.computeIfAbsent(probe.question(), unknown -> new ProxyGate(System::nanoTime))
                .ask(probe)
                .map(Refusal::words);
    }

    synchronized Optional<Refusal> ask(ProxyProbe probe) {
        String current = probe.password();
        if (current.equals(password) && nanoTime.getAsLong() - askedAt < kept.toNanos()) {
            return answer;
        }
        boolean again =
                current.equals(password) && answer.filter(Refusal::ofPassword).isPresent();
        answer = probe.refused();
        password = current;
        kept = answer.filter(Refusal::ofPassword).isPresent() ? longer(again) : SHARED;
        askedAt = nanoTime.getAsLong();
        return answer;
    }

    private Duration longer(boolean again) {
        Duration twice = kept.multipliedBy(2);
        return !again ? FIRST : twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    }
}
