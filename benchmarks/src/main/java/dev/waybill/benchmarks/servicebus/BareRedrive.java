package dev.waybill.benchmarks.servicebus;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverAsyncClient;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Stopwatch;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/**
 * The least that goes through an outbox and loses nothing in a crash: stored, then completed; copied to a second table; read
 * from there and sent. No order, no states, no audit, nobody else beside it: what is left is what two tables cost.
 */
final class BareRedrive {
    private static final int STORED_AT_ONCE = 500;
    private static final int COPIED_AT_ONCE = 2_000;
    private static final int READ_AT_ONCE = 1_600;
    private static final int SENT_AT_ONCE = 100;

    private final BareTables tables;
    private final int messages;

    BareRedrive(OutboxSchema schema, int messages) {
        this.tables = new BareTables(schema);
        this.messages = messages;
    }

    /** Messages per second, from the first receive to the last acknowledged send. */
    double rate() {
        tables.empty();
        try (EmbeddedServiceBus bus = DeadQueue.start(messages)) {
            var watch = Stopwatch.start();
            try (var receiver = RawRedrive.receiver(bus);
                    var sender = new RawSender(bus.connectionString(), DeadQueue.TARGET)) {
                // Each blocks all the time, so none may wait for a thread of a pool.
                Executor threads = work -> new Thread(work, "bare-redrive").start();
                var copied = CompletableFuture.runAsync(this::copy, threads);
                var sent = CompletableFuture.runAsync(() -> publish(sender), threads);
                collect(receiver);
                CompletableFuture.allOf(copied, sent).join();
            }
            double rate = watch.rate(messages);
            DeadQueue.requireMoved(bus, messages);
            return rate;
        }
    }

    private void collect(ServiceBusReceiverAsyncClient receiver) {
        receiver.receiveMessages()
                .limitRate(RawRedrive.CREDIT)
                .buffer(Math.min(STORED_AT_ONCE, messages))
                .publishOn(Schedulers.boundedElastic(), 2)
                .doOnNext(tables::store)
                .concatMap(Flux::fromIterable)
                .flatMap(message -> receiver.complete(message).thenReturn(message), RawRedrive.COMPLETIONS_IN_FLIGHT)
                .take(messages)
                .then()
                .block();
    }

    private void copy() {
        int copied = 0;
        while (copied < messages) {
            copied += orWait(from -> tables.copyOver(from, COPIED_AT_ONCE), copied);
        }
    }

    private void publish(RawSender sender) {
        int sent = 0;
        while (sent < messages) {
            sent += orWait(
                    from -> {
                        List<BareTables.Row> rows = tables.read(from, READ_AT_ONCE);
                        sender.send(batches(rows), RawRedrive.BATCHES_ON_THE_WAY, BareRedrive::message);
                        return rows.size();
                    },
                    sent);
        }
    }

    private static List<List<BareTables.Row>> batches(List<BareTables.Row> rows) {
        var batches = new ArrayList<List<BareTables.Row>>();
        for (int start = 0; start < rows.size(); start += SENT_AT_ONCE) {
            batches.add(rows.subList(start, Math.min(rows.size(), start + SENT_AT_ONCE)));
        }
        return batches;
    }

    private static ServiceBusMessage message(BareTables.Row row) {
        return new ServiceBusMessage(row.payload())
                .setMessageId(row.messageId())
                .setSubject(row.subject())
                .setContentType(row.contentType());
    }

    private static int orWait(Step step, long from) {
        try {
            int done = step.take(from);
            if (done == 0) {
                Thread.sleep(2);
            }
            return done;
        } catch (SQLException e) {
            throw new CompletionException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        }
    }

    /** Does what there is behind a place; says how much. */
    @FunctionalInterface
    private interface Step {
        int take(long from) throws SQLException;
    }
}
