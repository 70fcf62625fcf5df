package dev.waybill.relay.loop;

import dev.waybill.relay.send.DestinationSender;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A destination that the relay serves, owned or not: its way out, and when it is polled next. Confined to the loop's thread. */
final class Destination {
    private final DestinationSender sender;
    private final PollSchedule schedule;
    private final SendLog log;
    private final Runnable onPrepared;
    private @Nullable CompletableFuture<?> prepared;
    private @Nullable Owned owned;
    private int published;

    /** @param onPrepared told on some thread when the publisher has connected, or has had its time to */
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

    /** Whether the publisher has connected, or has had its time to. Asks it to the first time. */
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

    /** Of a destination that the relay owns. */
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

    /** How long nothing will be sent, because the destination refused to take more. */
    Duration backOff() {
        return sender.breaker().rest();
    }
}
