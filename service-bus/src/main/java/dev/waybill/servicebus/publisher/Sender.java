package dev.waybill.servicebus.publisher;

import com.azure.messaging.servicebus.ServiceBusSenderAsyncClient;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher.Shipment;
import dev.waybill.servicebus.publisher.BatchBuilder.BuiltBatch;
import dev.waybill.servicebus.publisher.BatchBuilder.NotConnected;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A sender of one destination on one connection. Sends each batch after the previous one is accepted, and fills the next
 * meanwhile. A refused batch is halved until the refused message is alone.
 */
final class Sender {
    /** Batches in flight for one lane, in PER_SESSION mode. */
    private static final int SHARES_ON_THE_WAY = 8;

    /** Capacity of the queue of steps, which never holds more than one. */
    private static final int WAITING_STEPS = 8;

    private final ServiceBusSenderAsyncClient client;
    private final BatchBuilder filler;
    private final Duration deadline;
    private final BatchMode batches;
    private final int batchLimit;
    private final SendMeter meter;

    /** @param batchLimit most messages of a batch */
    Sender(ServiceBusSenderAsyncClient client, Duration deadline, BatchMode batches, int batchLimit, SendMeter meter) {
        this.client = client;
        this.filler = new BatchBuilder(client);
        this.deadline = deadline;
        this.batches = batches;
        this.batchLimit = batchLimit;
        this.meter = meter;
    }

    /** Connects before the first send. */
    Mono<Void> open() {
        return client.createMessageBatch().timeout(deadline, silence()).then();
    }

    /** Never fails: the result includes messages that were accepted before a failure. */
    Mono<PublishResult> send(Shipment shipment) {
        if (batches == BatchMode.MIXED) {
            return sendInOrder(shipment);
        }
        return Flux.fromIterable(SessionBatches.of(shipment))
                .flatMap(share -> sendInOrder(share.shipment()).map(share::result), SHARES_ON_THE_WAY)
                .collectList()
                .map(results -> SessionBatches.together(shipment.rows().size(), results));
    }

    // Batches follow in a loop, because nesting them would overflow the stack.
    private Mono<PublishResult> sendInOrder(Shipment shipment) {
        return Mono.just(Step.to(new Progress(shipment, 0, 0, Integer.MAX_VALUE)))
                .expand(this::next, WAITING_STEPS)
                .last()
                .mapNotNull(Step::result);
    }

    void close() {
        client.close();
    }

    private Mono<Step> next(Step step) {
        if (step.result != null) {
            return Mono.empty();
        }
        Progress progress = step.progress;
        return AbortedSend.caught(() -> progress.mayGoOn()
                        ? sendBatch(progress, step.batch == null ? filled(progress) : step.batch)
                                .map(sent -> after(progress, sent))
                        : Mono.just(Step.end(progress, PublishResult.accepted(progress.accepted))))
                .onErrorResume(
                        failure -> Mono.just(Step.end(progress, PublishResult.failed(progress.accepted, failure))));
    }

    private static Step after(Progress progress, Sent sent) {
        Throwable failure = sent.failure;
        if (failure == null) {
            return new Step(progress.after(sent.end), sent.next, null);
        }
        if (sent.outcome == Outcome.MESSAGE_REFUSED && sent.end - progress.accepted > 1) {
            return Step.to(progress.halved(sent.end));
        }
        return Step.end(progress, new PublishResult(progress.accepted, sent.outcome, failure));
    }

    // The SDK's timeout is 60 s for each try and misses a link that was lost silently, hence this deadline.
    private Mono<Sent> sendBatch(Progress progress, Mono<BuiltBatch> batch) {
        return batch.flatMap(filled -> AbortedSend.caught(() -> sendBatch(progress, filled)))
                .timeout(deadline, silence())
                .onErrorResume(failure -> Mono.just(Sent.nothing(progress.accepted, failure)));
    }

    private Mono<Sent> sendBatch(Progress progress, BuiltBatch filled) {
        Mono<BuiltBatch> next = AbortedSend.caught(() -> filledAhead(progress.after(filled.end())));
        meter.sent(filled.load());
        return client.sendMessages(filled.batch())
                .doOnSuccess(nothing -> meter.accepted(filled.load().messages()))
                .thenReturn(new Sent(filled.end(), Outcome.ACCEPTED, null, next))
                .onErrorResume(failure -> Mono.just(Sent.failed(filled.end(), Outcomes.ofSend(failure), failure)));
    }

    // Reactor's own message names an internal operator.
    private <T> Mono<T> silence() {
        return Mono.error(
                () -> new TimeoutException("The broker has not responded for " + deadline.toMillis() / 1000.0 + " s"));
    }

    private Mono<BuiltBatch> filled(Progress progress) {
        return filler.fill(progress.shipment.rows(), progress.accepted, progress.limit(batchLimit));
    }

    /** The next batch; its sender sees a failure later. */
    private Mono<BuiltBatch> filledAhead(Progress progress) {
        return progress.isComplete()
                ? Mono.empty()
                : filler.fillAhead(progress.shipment.rows(), progress.accepted, progress.limit(batchLimit));
    }

    /** The progress of a shipment; one row before {@code suspectEnd} is refused. */
    private record Progress(Shipment shipment, int accepted, int suspectEnd, int half) {
        boolean isComplete() {
            return accepted == shipment.rows().size();
        }

        boolean mayGoOn() {
            return !isComplete() && shipment.mayContinue().getAsBoolean();
        }

        int limit(int most) {
            return accepted < suspectEnd ? Math.min(half, most) : most;
        }

        Progress after(int end) {
            return new Progress(shipment, end, suspectEnd, half);
        }

        Progress halved(int end) {
            return new Progress(shipment, accepted, end, (end - accepted) / 2);
        }
    }

    /** A shipment between two batches; {@code batch} was filled ahead, and {@code result} is null while rows are left. */
    private record Step(
            Progress progress,
            @Nullable Mono<BuiltBatch> batch,
            @Nullable PublishResult result) {
        static Step to(Progress progress) {
            return new Step(progress, null, null);
        }

        static Step end(Progress progress, PublishResult result) {
            return new Step(progress, null, result);
        }
    }

    /** The result of a batch that ended before row {@code end}, and the next batch. */
    private record Sent(int end, Outcome outcome, @Nullable Throwable failure, Mono<BuiltBatch> next) {
        static Sent failed(int end, Outcome outcome, Throwable failure) {
            return new Sent(end, outcome, failure, Mono.empty());
        }

        static Sent nothing(int start, Throwable failure) {
            return failure instanceof NotConnected notConnected
                    ? failed(start, Outcomes.ofConnect(notConnected.failure()), notConnected.failure())
                    : failed(start, Outcomes.ofSend(failure), failure);
        }
    }
}
