package dev.waybill.walletforge.demo.intake;

import dev.waybill.walletforge.payment.Payment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Writers at work on a whole input. Closing it interrupts those that still wait. */
public final class IntakeRun implements AutoCloseable {
    private final Intake intake;
    private final Pace pace;
    private final List<Thread> threads;
    private final AtomicInteger working;
    private final LongAdder taken = new LongAdder();
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    private IntakeRun(Intake intake, Pace pace, List<List<WriterPlan.Line>> plan) {
        this.intake = intake;
        this.pace = pace;
        working = new AtomicInteger(plan.size());
        threads = plan.stream()
                .map(share -> new Thread(() -> write(share), "intake"))
                .toList();
    }

    /** Starts the writers. */
    public static IntakeRun start(Intake intake, List<Payment> payments, int writers, Pace pace) {
        var run = new IntakeRun(intake, pace, WriterPlan.of(payments, writers));
        run.threads.forEach(thread -> thread.setDaemon(true));
        run.threads.forEach(Thread::start);
        return run;
    }

    /** How many lines were taken in so far, resends included. */
    public long taken() {
        return taken.sum();
    }

    /** Whether all writers are through, or one has failed. */
    public boolean isDone() {
        return done.isDone();
    }

    /** Waits for the writers, and fails as soon as one of them fails: the others may be waiting for what it left undone. */
    public void join() {
        done.join();
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }

    private void write(List<WriterPlan.Line> share) {
        try {
            for (WriterPlan.Line line : share) {
                pace.await(line.position());
                intake.accept(line.payment());
                taken.increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
        } finally {
            if (working.decrementAndGet() == 0) {
                done.complete(null);
            }
        }
    }
}
