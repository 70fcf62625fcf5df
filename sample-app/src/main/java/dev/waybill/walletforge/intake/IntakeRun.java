package dev.waybill.walletforge.intake;

import dev.waybill.walletforge.payment.Payment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** Writers at work on a whole input. Closing it interrupts those that still wait. */
public final class IntakeRun implements AutoCloseable {
    private final Intake intake;
    private final Pace pace;
    private final ExecutorService threads;
    private final LongAdder taken = new LongAdder();
    private final CompletableFuture<Void> done;

    private IntakeRun(Intake intake, Pace pace, List<List<Payment>> plan) {
        this.intake = intake;
        this.pace = pace;
        threads = Executors.newFixedThreadPool(plan.size(), task -> {
            var thread = new Thread(task, "intake");
            thread.setDaemon(true);
            return thread;
        });
        var writers = new ArrayList<CompletableFuture<Void>>();
        plan.forEach(share -> writers.add(CompletableFuture.runAsync(() -> write(share), threads)));
        done = CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new));
        threads.shutdown();
    }

    /** Starts the writers. */
    public static IntakeRun start(Intake intake, List<Payment> payments, int writers, Pace pace) {
        return new IntakeRun(intake, pace, WriterPlan.of(payments, writers));
    }

    /** How many lines were taken in so far, resends included. */
    public long taken() {
        return taken.sum();
    }

    /** Whether all writers are through. */
    public boolean isDone() {
        return done.isDone();
    }

    /** Waits for the writers, and fails as the first of them failed. */
    public void join() {
        done.join();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private void write(List<Payment> share) {
        try {
            for (Payment payment : share) {
                pace.await(payment.position());
                intake.accept(payment);
                taken.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // The others may be waiting for what this one will not do.
            threads.shutdownNow();
            throw e;
        }
    }
}
