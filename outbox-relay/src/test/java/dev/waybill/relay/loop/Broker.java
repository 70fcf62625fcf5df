package dev.waybill.relay.loop;

import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A broker that remembers what arrived, and answers as the test says. Accepts all at once by default. */
final class Broker implements Publisher {
    private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();
    private final List<Pending> pending = new ArrayList<>();
    private volatile Function<Shipment, @Nullable PublishResult> answers = Broker::all;
    private volatile LongSupplier delays = () -> 0;

    record Arrival(String destination, OutboxRow row) {}

    /** A shipment without an answer. */
    final class Pending {
        final Shipment shipment;
        private final CompletableFuture<PublishResult> result = new CompletableFuture<>();

        Pending(Shipment shipment) {
            this.shipment = shipment;
        }

        void accept() {
            answer(all(shipment));
        }

        void answer(PublishResult answer) {
            arrive(shipment, answer);
            result.complete(answer);
        }
    }

    static PublishResult all(Shipment shipment) {
        return PublishResult.accepted(shipment.rows().size());
    }

    /** How shipments are answered from now on; null: not until the test does. */
    void answers(Function<Shipment, @Nullable PublishResult> function) {
        answers = function;
    }

    void answersNothing() {
        answers = shipment -> null;
    }

    void acceptsAll() {
        answers = Broker::all;
    }

    /** Refuses messages of these ids, and accepts what is ahead of them. */
    void refuses(String... ids) {
        answers = shipment -> {
            for (int i = 0; i < shipment.rows().size(); i++) {
                if (List.of(ids).contains(shipment.rows().get(i).messageId())) {
                    return PublishResult.refused(i, new IllegalStateException("refused by the test"));
                }
            }
            return all(shipment);
        };
    }

    /** How many milliseconds each answer takes from now on. */
    void takes(LongSupplier millis) {
        delays = millis;
    }

    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        long delay = delays.getAsLong();
        if (delay == 0) {
            return publishNow(shipment);
        }
        return CompletableFuture.supplyAsync(
                        () -> shipment.mayContinue().getAsBoolean()
                                ? publishNow(shipment)
                                : CompletableFuture.completedFuture(PublishResult.accepted(0)),
                        CompletableFuture.delayedExecutor(delay, TimeUnit.MILLISECONDS))
                .thenCompose(sent -> sent);
    }

    private synchronized CompletionStage<PublishResult> publishNow(Shipment shipment) {
        @Nullable PublishResult answer = answers.apply(shipment);
        if (answer == null) {
            var waiting = new Pending(shipment);
            pending.add(waiting);
            return waiting.result;
        }
        arrive(shipment, answer);
        return CompletableFuture.completedFuture(answer);
    }

    private void arrive(Shipment shipment, PublishResult answer) {
        shipment.rows()
                .subList(0, answer.accepted())
                .forEach(row -> arrivals.add(new Arrival(shipment.destination(), row)));
    }

    /** Takes the shipments that wait for an answer. */
    synchronized List<Pending> takePending() {
        List<Pending> taken = List.copyOf(pending);
        pending.clear();
        return taken;
    }

    /** All arrivals, repeats too. */
    List<String> arrived() {
        return arrivals.stream().map(arrival -> arrival.row().messageId()).toList();
    }

    /** First arrivals of a session, in order. */
    List<String> firstOf(String session) {
        return arrivals.stream()
                .filter(arrival -> session.equals(arrival.row().sessionId()))
                .map(arrival -> arrival.row().messageId())
                .distinct()
                .toList();
    }

    List<Arrival> arrivals() {
        return List.copyOf(arrivals);
    }

    @Override
    public void close() {}
}
