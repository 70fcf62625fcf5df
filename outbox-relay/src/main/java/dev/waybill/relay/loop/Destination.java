package dev.waybill.relay.loop;

import dev.waybill.hold.Cause;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.send.DestinationSender;
import dev.waybill.relay.send.SendFailure;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A destination that the relay serves, owned or not. Confined to the loop's thread. */
final class Destination {
    private static final String UNAVAILABLE = "unavailable";

    /** Longer than a send needs, and short enough for an alarm within 15 s: a heartbeat, every 5 s, reports it. */
    private static final Duration SILENT = Duration.ofSeconds(5);

    private final DestinationSender sender;
    private final PollSchedule schedule;
    private final SendLog log;
    private final Runnable onPrepared;
    private @Nullable CompletableFuture<?> prepared;
    private @Nullable Owned owned;
    private int published;

    /** @param onPrepared called on any thread when the publisher has connected or timed out */
    Destination(DestinationSender sender, PollSchedule schedule, Runnable onPrepared) {
        this.sender = sender;
        this.schedule = schedule;
        this.onPrepared = onPrepared;
        log = new SendLog(sender.destination());
    }

    String name() {
        return sender.destination();
    }

    DestinationSender sender() {
        return sender;
    }

    SendLog log() {
        return log;
    }

    PollSchedule schedule() {
        return schedule;
    }

    /** Whether the publisher has connected or timed out. The first call starts the connection. */
    boolean isPrepared() {
        if (prepared == null) {
            prepared = sender.prepare();
            var unused = prepared.thenRun(onPrepared);
        }
        return prepared.isDone();
    }

    @Nullable Owned owned() {
        return owned;
    }

    Owned mine() {
        return Objects.requireNonNull(owned, "The relay owns the destination");
    }

    void owned(@Nullable Owned now) {
        owned = now;
    }

    void published(int messages) {
        published += messages;
    }

    int takePublished() {
        int taken = published;
        published = 0;
        return taken;
    }

    /** What keeps the destination from accepting, for the alarms. */
    record Trouble(String state, String detail) {}

    /** The last failure while the circuit breaker is open, else null. */
    @Nullable Trouble failure() {
        @Nullable PublishResult failure = sender.breaker().lastFailure();
        if (failure == null) {
            return null;
        }
        Cause cause = SendFailure.causeOf(failure.failure());
        String state = switch (failure.outcome()) {
            case DESTINATION_REFUSED -> "refused";
            case UNEXPLAINED -> UNAVAILABLE;
            default -> failure.outcome().name().toLowerCase(Locale.ROOT);
        };
        return new Trouble(state, cause.reason() + ": " + cause.description());
    }

    /** A send in flight without an answer for too long, else null. */
    @Nullable Trouble silence() {
        Duration silence = sender.breaker().silence();
        return silence.compareTo(SILENT) > 0
                ? new Trouble(
                        UNAVAILABLE,
                        "NoAnswer: the broker has accepted nothing for " + silence.toSeconds()
                                + " s, and a send is in flight")
                : null;
    }

    Duration backOff() {
        return sender.breaker().backOff();
    }
}
