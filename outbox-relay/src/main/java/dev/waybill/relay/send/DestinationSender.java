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
 * One destination's way out of the relay. Thread-safe.
 *
 * <p>Trusts the publisher with nothing but the messages: whatever it throws, returns or completes with, the caller
 * gets a result that fits the rows in the end, and the breaker hears of it. A breach of the contract counts as
 * {@link Outcome#UNAVAILABLE} with no row accepted, so all rows are sent again. A shipment that ends short without being
 * told to stop counts so too, with the rows that it says are accepted. Every failure has a reason from here on: what tells
 * of it goes by that.
 */
public record DestinationSender(String destination, HoldPolicy policy, Publisher publisher, Breaker breaker) {

    /**
     * Lets the publisher connect. Throws nothing, and completes normally and in time, whatever the publisher does.
     */
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

    // A publisher that blocks keeps a thread of its own, and not the destination's.
    private static void aside(Runnable preparing) {
        var thread = new Thread(preparing, "waybill-relay-preparing");
        thread.setDaemon(true);
        thread.start();
    }

    /** Sends rows of one lane, unless the destination is being spared. Throws nothing, and completes normally. */
    public CompletableFuture<PublishResult> send(
            List<OutboxRow> rows, BooleanSupplier mayContinue, Publisher.@Nullable Entity entity) {
        if (!breaker.admits()) {
            return CompletableFuture.completedFuture(PublishResult.notSent());
        }
        try {
            // Not multiplied: that goes by decimal fractions.
            Duration longestSilence = publisher.longestSend().plus(publisher.longestSend());
            var answer = new AwaitedAnswer(
                    longestSilence,
                    () -> breach("has not answered for " + longestSilence),
                    () -> breaker.isFlowing() && mayContinue.getAsBoolean());
            publish(new Publisher.Shipment(destination, rows, answer::mayContinue, entity), answer);
            return answer.within().handle((result, thrown) -> reported(judged(result, thrown, rows.size(), answer)));
        } catch (Throwable e) {
            // Errors too: a class that is missing or a heap that is full must not end the thread that serves the lane.
            return CompletableFuture.completedFuture(reported(PublishResult.failed(0, e)));
        }
    }

    // A publisher may have begun before it throws: its rows are sent again, so it must not go on with them.
    private void publish(Publisher.Shipment shipment, AwaitedAnswer answer) {
        try {
            var unused = published(shipment).toCompletableFuture().whenComplete(answer::complete);
        } catch (Throwable e) {
            answer.complete(null, e);
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
            @Nullable PublishResult result, @Nullable Throwable thrown, int rows, AwaitedAnswer answer) {
        if (thrown != null) {
            return PublishResult.failed(0, causeOf(thrown));
        }
        if (result == null || !fits(result, rows)) {
            return PublishResult.failed(0, breach("answered " + result + " to a shipment of " + rows));
        }
        if (result.outcome() == Outcome.ACCEPTED) {
            return result.accepted() == rows || !answer.isOfAll() ? result : endedShort(result, rows);
        }
        return result.failure() == null ? unexplained(result) : result;
    }

    // Nobody can tell what became of the row behind the accepted ones.
    private PublishResult endedShort(PublishResult result, int rows) {
        return PublishResult.failed(
                result.accepted(),
                breach("accepted " + result.accepted() + " of " + rows + " messages, gave no reason and was not told to"
                        + " stop"));
    }

    private static PublishResult unexplained(PublishResult result) {
        var silence = new IllegalStateException("The publisher gave no reason");
        return new PublishResult(
                result.accepted(), result.outcome(), new PublishException(SendFailure.NO_REASON, silence));
    }

    // A refused row is the one after those that were accepted, so there must be one.
    private static boolean fits(PublishResult result, int rows) {
        int most = result.outcome() == Outcome.MESSAGE_REFUSED ? rows - 1 : rows;
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
