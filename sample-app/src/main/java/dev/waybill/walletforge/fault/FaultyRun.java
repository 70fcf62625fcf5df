package dev.waybill.walletforge.fault;

import dev.waybill.hold.Holds;
import dev.waybill.walletforge.desk.DeadLetterDesk;
import dev.waybill.walletforge.intake.Pace;
import dev.waybill.walletforge.relay.RelayHost;
import dev.waybill.walletforge.relay.RelayLaunch;
import dev.waybill.walletforge.servicebus.EmbeddedBus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A misbehaving broker and a relay that is killed again and again, from the first message to the last. */
public final class FaultyRun implements RelayHost {
    private final RelaySupervisor seat;
    private final StagedInput portions;
    private final BrokerFaults noise;
    private final HandlerFaults handler;
    private final DeadLetterDesk desk;
    private final Thread thread;
    private final CompletableFuture<Void> schedule = new CompletableFuture<>();

    private FaultyRun(
            RelaySupervisor seat,
            StagedInput portions,
            BrokerFaults noise,
            HandlerFaults handler,
            DeadLetterDesk desk,
            Plan plan) {
        this.seat = seat;
        this.portions = portions;
        this.noise = noise;
        this.handler = handler;
        this.desk = desk;
        thread = new Thread(() -> run(plan), "kills");
        thread.setDaemon(true);
    }

    /**
     * Starts the first relay and the faults.
     *
     * @param load which the intake is to take in at {@link #pace()}
     * @param handler which the consumer's handler is wrapped in
     * @param desk which is closed with the run
     * @param events hears of each kill, hold, release and dead letter, on another thread
     */
    public static FaultyRun start(
            DataSource dataSource,
            EmbeddedBus bus,
            RelayLaunch launch,
            Load load,
            HandlerFaults handler,
            DeadLetterDesk desk,
            Consumer<String> events) {
        var seat = new RelaySupervisor(launch);
        var poison = new RefusedMessage(bus, Holds.ofOutbox(dataSource, launch.schema()));
        var noise = new BrokerFaults(bus, poison);
        noise.onDelivery();
        var kills = new KillSchedule(new SettleBlock.Target(dataSource, launch.schema()), bus, noise, seat, events);
        var portions = new StagedInput(load.lines(), KillSchedule.KILLS + 1);
        var random = new Random(load.seed());
        var run = new FaultyRun(seat, portions, noise, handler, desk, () -> {
            kills.run(portions, random);
            poison.release(load.transactions(), events);
            desk.work(events);
        });
        run.thread.start();
        return run;
    }

    /** By portions, so that there is work at every kill. */
    @Override
    public Pace pace() {
        return portions;
    }

    @Override
    public int restarts() {
        return seat.restarts();
    }

    @Override
    public int restartsDue() {
        return KillSchedule.KILLS;
    }

    @Override
    public boolean isSettled() {
        return schedule.isDone();
    }

    @Override
    public void check() {
        if (schedule.isCompletedExceptionally()) {
            schedule.join();
        }
        seat.check();
    }

    @Override
    public List<String> injected() {
        var words = new ArrayList<>(noise.inWords());
        words.add(handler.inWords());
        words.add(desk.inWords());
        return words;
    }

    @Override
    public Map<String, Integer> injections() {
        var counts = new LinkedHashMap<>(noise.counts());
        counts.putAll(handler.counts());
        counts.putAll(desk.counts());
        return counts;
    }

    @Override
    public void close() {
        thread.interrupt();
        seat.close();
        desk.close();
    }

    private void run(Plan plan) {
        try {
            plan.carryOut();
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
     * @param transactions how many of them are not resends
     * @param seed decides the moments
     */
    public record Load(long lines, long transactions, long seed) {}

    /** What happens in a run, one after the other. */
    @FunctionalInterface
    private interface Plan {
        void carryOut() throws Exception;
    }
}
