package dev.waybill.relay.send;

import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishException;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends to one destination. Thread-safe.
 *
 * <p>Guards against publishers that break their contract: callers always get a result that fits the rows, and the breaker sees
 * it. A breach counts as {@link Outcome#UNAVAILABLE} without accepted rows. A shipment that ends early without being stopped
 * counts so too, but keeps its accepted rows. Every failure has a reason.
 */
public record DestinationSender(String destination, HoldPolicy policy, Publisher publisher, Breaker breaker) {

    /** Lets the publisher connect. Never throws; completes normally within the longest send. */
    public CompletableFuture<?> prepare() {
        try {
            return CompletableFuture.supplyAsync(() -> publisher.prepare(destination), DestinationSender::aside)
                    .thenCompose(stage -> stage)
                    .handle((done, thrown) -> true)
                    .completeOnTimeout(true, publisher.longestSend().toNanos(), TimeUnit.NANOSECONDS);
        } catch (Throwable e) {
            return CompletableFuture.completedFuture(true);
        }
    }

    // A publisher that blocks occupies only this thread.
    private static void aside(Runnable preparing) {
        var thread = new Thread(preparing, "waybill-relay-preparing");
        thread.setDaemon(true);
        thread.start();
    }

    /** Sends rows of a lane, unless the breaker is open. Never throws; completes normally. */
    public CompletableFuture<PublishResult> send(
            List<OutboxRow> rows, BooleanSupplier mayContinue, Publisher.@Nullable Entity entity) {
        if (!breaker.admits()) {
            return CompletableFuture.completedFuture(PublishResult.notSent());
        }
        try {
            // Duration.multipliedBy computes with BigDecimal.
            Duration timeout = publisher.longestSend().plus(publisher.longestSend());
            var awaited = new AwaitedResult(
                    timeout,
                    () -> breach("has not responded for " + timeout),
                    () -> breaker.isFlowing() && mayContinue.getAsBoolean());
            publish(new Publisher.Shipment(destination, rows, awaited::mayContinue, entity), awaited);
            return awaited.within().handle((result, thrown) -> reported(judged(result, thrown, rows.size(), awaited)));
        } catch (Throwable e) {
            // Errors too: a missing class or a full heap must not end the calling thread.
            return CompletableFuture.completedFuture(reported(PublishResult.failed(0, e)));
        }
    }

    // A publisher may throw after it has begun to send: the relay sends the rows again, so the publisher must stop.
    private void publish(Publisher.Shipment shipment, AwaitedResult awaited) {
        try {
            var unused = published(shipment).toCompletableFuture().whenComplete(awaited::complete);
        } catch (Throwable e) {
            awaited.complete(null, e);
        }
    }

    private CompletionStage<PublishResult> published(Publisher.Shipment shipment) {
        @Nullable CompletionStage<PublishResult> stage = publisher.publish(shipment);
        if (stage == null) {
            throw breach("returned null");
        }
        return stage;
    }

    private PublishResult reported(PublishResult result) {
        breaker.report(result);
        return result;
    }

    private PublishResult judged(
            @Nullable PublishResult result, @Nullable Throwable thrown, int rows, AwaitedResult awaited) {
        if (thrown != null) {
            return PublishResult.failed(0, causeOf(thrown));
        }
        if (result == null || !fits(result, rows)) {
            return PublishResult.failed(0, breach("returned " + result + " for a shipment of " + rows));
        }
        if (result.outcome() == Outcome.ACCEPTED) {
            return result.accepted() == rows || !awaited.wasNeverStopped() ? result : endedShort(result, rows);
        }
        return result.failure() == null ? unexplained(result) : result;
    }

    // The outcome of the row after the accepted ones is unknown.
    private PublishResult endedShort(PublishResult result, int rows) {
        return PublishResult.failed(
                result.accepted(),
                breach("accepted " + result.accepted() + " of " + rows + " messages without a reason and without being"
                        + " stopped"));
    }

    private static PublishResult unexplained(PublishResult result) {
        var silence = new IllegalStateException("The publisher gave no reason");
        return new PublishResult(
                result.accepted(), result.outcome(), new PublishException(SendFailure.NO_REASON, silence));
    }

    // A refused row follows the accepted ones, so one must be left.
    private static boolean fits(PublishResult result, int rows) {
        boolean refused = result.outcome() == Outcome.MESSAGE_REFUSED || result.outcome() == Outcome.UNEXPLAINED;
        int most = refused ? rows - 1 : rows;
        return result.outcome() != null
                && result.outcome() != Outcome.NOT_SENT
                && result.accepted() >= 0
                && result.accepted() <= most;
    }

    private static Throwable causeOf(Throwable thrown) {
        @Nullable Throwable cause = thrown.getCause();
        return thrown instanceof CompletionException && cause != null ? cause : thrown;
    }

    private IllegalStateException breach(String fault) {
        return new IllegalStateException("The publisher for '" + destination + "' broke its contract: it " + fault);
    }
}
