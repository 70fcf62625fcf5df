package dev.waybill.walletforge.demo.fault;

import dev.waybill.hold.Holds;
import dev.waybill.schema.SchemaName;
import dev.waybill.walletforge.demo.intake.Pace;
import dev.waybill.walletforge.demo.relay.RelayHost;
import dev.waybill.walletforge.demo.relay.RelayLaunch;
import dev.waybill.walletforge.demo.repair.DeadLetterRepair;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.sql.DataSource;

/** A misbehaving broker and a relay that is killed again and again, from the first message to the last. */
public final class FaultyRun implements RelayHost {
    private final RelaySupervisor supervisor;
    private final StagedInput input;
    private final BrokerFaults faults;
    private final HandlerFaults handler;
    private final DeadLetterRepair deadLetters;
    private final Acts acts;
    private final Thread thread;
    private final CompletableFuture<Void> schedule = new CompletableFuture<>();

    private FaultyRun(
            RelaySupervisor supervisor,
            StagedInput input,
            BrokerFaults faults,
            HandlerFaults handler,
            DeadLetterRepair deadLetters,
            Acts acts) {
        this.supervisor = supervisor;
        this.input = input;
        this.faults = faults;
        this.handler = handler;
        this.deadLetters = deadLetters;
        this.acts = acts;
        thread = new Thread(this::run, "kills");
        thread.setDaemon(true);
    }

    /**
     * Starts the first relay and the faults.
     *
     * @param load which the intake is to take in at {@link #pace()}
     * @param handler which the consumer's handler is wrapped in
     * @param deadLetters which is closed with the run
     * @param events hears of each kill, hold, release and dead letter, on another thread
     */
    public static FaultyRun start(
            Surroundings around,
            Load load,
            HandlerFaults handler,
            DeadLetterRepair deadLetters,
            Consumer<String> events) {
        var supervisor = new RelaySupervisor(around.launch());
        var refused = new RefusedMessage(
                around.bus(), Holds.ofOutbox(around.dataSource(), around.schema()), load.neverRefused());
        var faults = new BrokerFaults(around.bus(), refused);
        faults.onDelivery();
        var kills = new KillSchedule(
                new SettleBlock.Target(around.dataSource(), around.schema()), around.bus(), faults, supervisor, events);
        Operator operator = load.byHand()
                ? new Person(refused, deadLetters, events)
                : transactions -> {
                    refused.release(transactions, events);
                    deadLetters.work(events);
                };
        var input = new StagedInput(load.lines(), KillSchedule.KILLS + 1);
        var run = new FaultyRun(supervisor, input, faults, handler, deadLetters, new Acts(kills, operator, load));
        run.thread.start();
        return run;
    }

    /** By portions, so that there is work at every kill. */
    @Override
    public Pace pace() {
        return input;
    }

    @Override
    public int restarts() {
        return supervisor.restarts();
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
    public boolean waitsForPerson() {
        return acts.operator().waits();
    }

    @Override
    public void check() {
        if (schedule.isCompletedExceptionally()) {
            schedule.join();
        }
        supervisor.check();
    }

    @Override
    public List<String> injected() {
        var words = new ArrayList<>(faults.inWords());
        words.add(handler.inWords());
        words.add(deadLetters.inWords());
        return words;
    }

    @Override
    public Map<String, Integer> injections() {
        var counts = new LinkedHashMap<>(faults.counts());
        counts.putAll(handler.counts());
        counts.putAll(deadLetters.counts());
        return counts;
    }

    @Override
    public void close() {
        thread.interrupt();
        supervisor.close();
        deadLetters.close();
    }

    private void run() {
        try {
            acts.kills().run(input, new Random(acts.load().seed()));
            acts.operator().work(acts.load().transactions());
            schedule.complete(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            schedule.completeExceptionally(e);
        } catch (Exception e) {
            schedule.completeExceptionally(new CompletionException("The faults did not come as planned", e));
        }
    }

    /**
     * The run that the schedule has to fit.
     *
     * @param lines of the input
     * @param transactions how many of them are not resends
     * @param seed decides the moments
     * @param byHand whether a person decides about what is held and dead-lettered
     * @param neverRefused tells by the id which messages the broker takes in any case: a person is told of the dead letters
     *     when all are there, and none arrives from a session that is held
     */
    public record Load(long lines, long transactions, long seed, boolean byHand, Predicate<String> neverRefused) {}

    private record Acts(KillSchedule kills, Operator operator, Load load) {}

    /** The database, the broker and the relay that the faults strike. */
    public record Surroundings(DataSource dataSource, EmbeddedBus bus, RelayLaunch launch) {
        private SchemaName schema() {
            return launch.schema();
        }
    }
}
