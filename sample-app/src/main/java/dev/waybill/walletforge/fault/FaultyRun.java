package dev.waybill.walletforge.fault;

import dev.waybill.walletforge.intake.Pace;
import dev.waybill.walletforge.relay.RelayLaunch;
import dev.waybill.walletforge.servicebus.EmbeddedBus;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A misbehaving broker and a relay that is killed again and again, from the first message to the last. */
public final class FaultyRun implements AutoCloseable {
    /** How often the relay is killed and replaced at least. */
    public static final int RESTARTS = KillSchedule.KILLS;

    private final RelaySeat seat;
    private final Portions portions;
    private final Thread thread;
    private final CompletableFuture<Void> schedule = new CompletableFuture<>();

    private FaultyRun(RelaySeat seat, Portions portions, KillSchedule kills, Random random) {
        this.seat = seat;
        this.portions = portions;
        thread = new Thread(() -> run(kills, random), "kills");
        thread.setDaemon(true);
    }

    /**
     * Starts the first relay and the faults.
     *
     * @param load which the intake is to take in at {@link #pace()}
     * @param events hears of each kill, on another thread
     */
    public static FaultyRun start(
            DataSource dataSource, EmbeddedBus bus, RelayLaunch launch, Load load, Consumer<String> events) {
        var seat = new RelaySeat(launch);
        var kills = new KillSchedule(dataSource, launch.schema(), bus, seat, events);
        var portions = new Portions(load.lines(), KillSchedule.KILLS + 1);
        var run = new FaultyRun(seat, portions, kills, new Random(load.seed()));
        Noise.onDelivery(bus.faults());
        run.thread.start();
        return run;
    }

    /** Lets payments in by portions, so that there is work at every kill. */
    public Pace pace() {
        return portions;
    }

    /** How often a relay took the place of a killed one. */
    public int restarts() {
        return seat.restarts();
    }

    /** Whether all kills are done. */
    public boolean isDone() {
        return schedule.isDone();
    }

    /** Fails if the schedule could not be kept or a relay ended by itself. */
    public void check() {
        if (schedule.isCompletedExceptionally()) {
            schedule.join();
        }
        seat.check();
    }

    @Override
    public void close() {
        thread.interrupt();
        seat.close();
    }

    private void run(KillSchedule kills, Random random) {
        try {
            kills.run(portions, random);
            schedule.complete(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            schedule.completeExceptionally(e);
        } catch (Exception e) {
            schedule.completeExceptionally(new CompletionException("The faults did not come as planned", e));
        }
    }

    /**
     * What the schedule has to fit.
     *
     * @param lines of the input
     * @param seed decides the moments
     */
    public record Load(long lines, long seed) {}
}
