package dev.waybill.relay.loop;

import dev.waybill.relay.send.DestinationSender;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A destination that the relay serves, owned or not. Confined to the loop's thread. */
final class Destination {
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

    Duration backOff() {
        return sender.breaker().backOff();
    }
}
