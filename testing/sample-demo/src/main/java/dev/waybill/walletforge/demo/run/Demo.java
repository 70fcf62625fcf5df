package dev.waybill.walletforge.demo.run;

import dev.waybill.walletforge.demo.fault.FaultyRun;
import dev.waybill.walletforge.demo.fault.HandlerFaults;
import dev.waybill.walletforge.demo.intake.IntakeRun;
import dev.waybill.walletforge.demo.proof.Checker;
import dev.waybill.walletforge.demo.proof.Proof;
import dev.waybill.walletforge.demo.proof.RunFacts;
import dev.waybill.walletforge.demo.relay.RelayHost;
import dev.waybill.walletforge.demo.relay.RelayLaunch;
import dev.waybill.walletforge.demo.repair.CorruptPayments;
import dev.waybill.walletforge.demo.repair.DeadLetterRepair;
import dev.waybill.walletforge.demo.report.BalanceFile;
import dev.waybill.walletforge.demo.screen.Screen;
import dev.waybill.walletforge.demo.servicebus.Bus;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import dev.waybill.walletforge.demo.servicebus.GivenBus;
import dev.waybill.walletforge.payment.PaymentWire;
import dev.waybill.walletforge.relay.RelayService;
import dev.waybill.walletforge.relay.RelayTempo;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** One run from the first payment to the proof. */
public final class Demo {
    private static final int WRITERS = 4;
    private static final Duration LOCK = Duration.ofSeconds(30);

    // A lost settlement shows when the lock ends.
    private static final Duration LOCK_WITH_FAULTS = Duration.ofSeconds(5);

    private final DemoSettings settings;
    private final String mainClass;
    private final Screen screen;
    private final PaymentWire wire =
            new PaymentWire(UUID.randomUUID().toString().substring(0, 8));
    private final HandlerFaults handlerFaults = new HandlerFaults();
    private final Queue<String> events = new ConcurrentLinkedQueue<>();

    /**
     * A run.
     *
     * @param mainClass which knows the command {@code relay}, for relays in processes of their own
     */
    public Demo(DemoSettings settings, String mainClass, Screen screen) {
        this.settings = settings;
        this.mainClass = mainClass;
        this.screen = screen;
    }

    /**
     * Runs and judges; writes the balances if asked to. With a console it returns when that has ended.
     *
     * @param result hears of the proof while all is still there
     */
    public void run(Optional<Path> balances, Consumer<Proof> result)
            throws SQLException, IOException, InterruptedException {
        screen.event("starting PostgreSQL and Service Bus");
        try (var database = Database.open(settings.jdbcUrl());
                Bus bus = openBus()) {
            screen.event("tables in the schemas " + database.schemas().forge() + " and "
                    + database.schemas().waybill());
            try (Console console = Console.of(settings.consolePort(), database, events)) {
                Proof proof = prove(database, bus, balances);
                result.accept(proof);
                console.stay(screen);
            }
        }
    }

    private Proof prove(Database database, Bus bus, Optional<Path> balances)
            throws SQLException, IOException, InterruptedException {
        RunFacts facts = process(database, bus);
        var checker = new Checker(database.pool(), database.schemas().forge().value(), wire.suffix(), bus.witness());
        Proof proof = checker.check(facts);
        if (balances.isPresent()) {
            BalanceFile.write(
                    balances.get(), database.pool(), database.schemas().forge());
        }
        return proof;
    }

    private RunFacts process(Database database, Bus bus) throws SQLException, IOException, InterruptedException {
        var input = settings.input();
        CorruptPayments spoiled = settings.faultSeed().isPresent()
                ? CorruptPayments.lastOfSomeWallets(input.lines())
                : CorruptPayments.NONE;
        long startedAt = System.nanoTime();
        try (var consumer = LedgerConsumer.of(
                        database,
                        bus,
                        wire,
                        settings.faultSeed().isPresent() ? handlerFaults::in : UnaryOperator.identity());
                RelayHost relay = startRelay(database, bus, spoiled);
                var intake = IntakeRun.start(
                        spoiled.intake(database.pool(), database.schemas(), wire),
                        input.lines(),
                        WRITERS,
                        relay.pace())) {
            consumer.start();
            var ledger = new LedgerCount(database.pool(), database.schemas().forge());
            new Watch(input, intake, bus, relay, ledger).follow(screen, events, settings.patience());
            double seconds = (System.nanoTime() - startedAt) / 1e9;
            screen.end();
            relay.injected().forEach(screen::event);
            return new RunFacts(
                    input.transactions(),
                    input.resends(),
                    relay.restarts(),
                    relay.restartsDue(),
                    seconds,
                    relay.injections());
        }
    }

    private Bus openBus() {
        return settings.serviceBus().<Bus>map(GivenBus::new).orElseGet(this::embeddedBus);
    }

    private EmbeddedBus embeddedBus() {
        Duration lock = settings.faultSeed().isPresent() ? LOCK_WITH_FAULTS : LOCK;
        return EmbeddedBus.start(
                settings.input().lines().size(), lock, settings.faultSeed().orElse(1));
    }

    private RelayHost startRelay(Database database, Bus bus, CorruptPayments spoiled) {
        if (settings.faultSeed().isPresent() && bus instanceof EmbeddedBus embedded) {
            var load = new FaultyRun.Load(
                    settings.input().lines().size(),
                    settings.input().transactions(),
                    settings.faultSeed().getAsLong(),
                    settings.consolePort().isPresent(),
                    id -> spoiled.affectWalletOf(wire.txId(id)));
            var deadLetters =
                    DeadLetterRepair.open(database.pool(), database.schemas().waybill(), bus.address(), spoiled);
            return FaultyRun.start(
                    new FaultyRun.Surroundings(database.pool(), embedded, launch(database, bus)),
                    load,
                    handlerFaults,
                    deadLetters,
                    events::add);
        }
        var relay = RelayService.start(database.pool(), database.schemas().waybill(), bus.address(), RelayTempo.CALM);
        return relay::close;
    }

    private RelayLaunch launch(Database database, Bus bus) {
        return new RelayLaunch(
                mainClass,
                database.server().jdbcUrl(),
                bus.address().value(),
                database.schemas().waybill());
    }
}
