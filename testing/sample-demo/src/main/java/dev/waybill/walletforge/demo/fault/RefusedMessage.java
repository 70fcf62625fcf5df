package dev.waybill.walletforge.demo.fault;

import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Hold;
import dev.waybill.hold.Holds;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import dev.waybill.walletforge.servicebus.Entities;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One message that the broker refuses, with every batch it is in, until its wallet is held and an operator has
 * found out why. Thread-safe.
 */
final class RefusedMessage {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AuditContext MENDED =
            new AuditContext("walletforge", "the demo's broker takes the message now");

    private final EmbeddedBus bus;
    private final Holds holds;
    private final Predicate<String> neverRefused;
    private volatile @Nullable String message;
    private volatile @Nullable FaultHandle refusal;
    private volatile int held;
    private final AtomicInteger released = new AtomicInteger();

    /** @param neverRefused tells by the id which messages are taken in any case */
    RefusedMessage(EmbeddedBus bus, Holds holds, Predicate<String> neverRefused) {
        this.bus = bus;
        this.holds = holds;
        this.neverRefused = neverRefused;
    }

    /** From now on the first message that comes, may be refused, and was not stored before is refused. */
    void begin() {
        refusal = bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity(Entities.WALLET_TX)
                .when(this::isIn)
                .then(FaultAction.reject(BrokerError.MESSAGE_SIZE_EXCEEDED));
    }

    /**
     * Waits for the hold, and puts right what was wrong. A load that was all published before the poison came has
     * none.
     *
     * @return the holds
     */
    List<Hold> mend(long transactions, Consumer<String> events) throws Exception {
        Bounded.require(
                "a hold of the refused message",
                PATIENCE,
                () -> !holds.list().isEmpty() || bus.published() >= transactions);
        List<Hold> found = holds.list();
        held = found.size();
        FaultHandle rule = refusal;
        if (rule != null) {
            rule.cancel();
        }
        for (Hold hold : found) {
            events.accept("held: " + hold.key() + " with " + hold.messages() + " messages, because of "
                    + hold.cause().reason());
        }
        return found;
    }

    /** How many holds wait for somebody. */
    int waiting() {
        int left = holds.list().size();
        released.set(Math.max(0, held - left));
        return left;
    }

    /** The operator's part: releases what is held, and waits until all of it is out. */
    void release(long transactions, Consumer<String> events) throws Exception {
        for (Hold hold : mend(transactions, events)) {
            holds.release(hold.key(), MENDED);
            Bounded.require(
                    "the end of a released hold",
                    PATIENCE,
                    () -> holds.show(hold.key()).isEmpty());
            released.incrementAndGet();
            events.accept("released by an operator: " + hold.key());
        }
    }

    /** The result. */
    Map<String, Integer> counts() {
        FaultHandle rule = refusal;
        var counts = new LinkedHashMap<String, Integer>();
        counts.put("sendsRefused", rule == null ? 0 : rule.hits());
        counts.put("sessionsHeld", held);
        counts.put("sessionsReleased", released.get());
        return counts;
    }

    /** The same in words. */
    String inWords() {
        FaultHandle rule = refusal;
        return "it refused one message " + (rule == null ? 0 : rule.hits()) + " times; sessions held for it: " + held
                + ", released: " + released;
    }

    // Only the broker's thread asks.
    private boolean isIn(FaultEvent event) {
        String chosen = message;
        if (chosen == null) {
            chosen = event.messageIds().stream()
                    .filter(id -> !neverRefused.test(id) && !bus.hasStored(id))
                    .findFirst()
                    .orElse(null);
            message = chosen;
        }
        return chosen != null && event.messageIds().contains(chosen);
    }
}
