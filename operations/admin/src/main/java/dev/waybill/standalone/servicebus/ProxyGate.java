package dev.waybill.standalone.servicebus;

import dev.waybill.standalone.servicebus.ProxyProbe.Refusal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a proxy before each connection and request of the process, one gate for each account and password. The SDK would report a refusal as
 * silence, and repeat a wrong password every two seconds, which locks an account. Thread-safe.
 */
final class ProxyGate {
    /** Connections that begin together share an answer. */
    private static final Duration SHARED = Duration.ofSeconds(1);

    static final Duration FIRST = Duration.ofSeconds(30);
    static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Map<String, ProxyGate> ALL = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;
    private final Map<String, Answer> answers = new HashMap<>();

    /** Of the password, whatever the target was. */
    private Optional<Refusal> refusal = Optional.empty();

    private Duration kept = Duration.ZERO;
    private long refusedAt;

    ProxyGate(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Why no connection may begin now; empty if one may. */
    static Optional<String> refused(ProxyProbe probe) {
        return ALL.computeIfAbsent(probe.account(), unknown -> new ProxyGate(System::nanoTime))
                .ask(probe)
                .map(Refusal::words);
    }

    synchronized Optional<Refusal> ask(ProxyProbe probe) {
        if (refusal.isPresent() && nanoTime.getAsLong() - refusedAt < kept.toNanos()) {
            return refusal;
        }
        @Nullable Answer last = answers.get(probe.target());
        if (last != null && nanoTime.getAsLong() - last.at < SHARED.toNanos()) {
            return last.answer;
        }
        Optional<Refusal> answer = probe.refused();
        answers.put(probe.target(), new Answer(answer, nanoTime.getAsLong()));
        keep(answer.filter(Refusal::ofPassword));
        return answer;
    }

    private void keep(Optional<Refusal> ofPassword) {
        Duration twice = kept.multipliedBy(2);
        kept = refusal.isEmpty() ? FIRST : twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
        refusal = ofPassword;
        refusedAt = nanoTime.getAsLong();
    }

    private record Answer(Optional<Refusal> answer, long at) {}
}
