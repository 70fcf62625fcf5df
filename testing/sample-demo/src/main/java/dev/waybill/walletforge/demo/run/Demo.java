package dev.waybill.walletforge.demo.run;

import dev.waybill.inbox.Handler;
import dev.waybill.walletforge.demo.fault.FaultyRun;
import dev.waybill.walletforge.demo.fault.HandlerFaults;
import dev.waybill.walletforge.demo.installation.NamedInstallation;
import dev.waybill.walletforge.demo.intake.IntakeRun;
import dev.waybill.walletforge.demo.proof.Checker;
import dev.waybill.walletforge.demo.proof.Proof;
import dev.waybill.walletforge.demo.proof.ReadersChecker;
import dev.waybill.walletforge.demo.proof.RunFacts;
import dev.waybill.walletforge.demo.relay.RelayHost;
import dev.waybill.walletforge.demo.relay.RelayLaunch;
import dev.waybill.walletforge.demo.relay.RelayService;
import dev.waybill.walletforge.demo.relay.RelayTempo;
import dev.waybill.walletforge.demo.repair.CorruptPayments;
import dev.waybill.walletforge.demo.repair.DeadLetterRepair;
import dev.waybill.walletforge.demo.report.BalanceFile;
import dev.waybill.walletforge.demo.screen.Screen;
import dev.waybill.walletforge.demo.servicebus.Bus;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import dev.waybill.walletforge.demo.servicebus.GivenBus;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.notification.MailDirectory;
import java.io.IOException;
import java.nio.file.Files;
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
    private final String name = UUID.randomUUID().toString().substring(0, 8);
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
        var installation = new NamedInstallation(name, database.pool(), database.schemas(), bus.address());
        Path mails = Files.createTempDirectory("walletforge-mails");
        try {
            RunFacts facts = process(database, bus, new Parts(installation, mails));
            String forge = database.schemas().forge().value();
            var checker = new Checker(database.pool(), forge, ":" + name, bus.witness());
            Proof proof = checker.check(facts).with(new ReadersChecker(installation, mails).check());
            if (balances.isPresent()) {
                BalanceFile.write(balances.get(), installation);
            }
            return proof;
        } finally {
            delete(mails);
        }
    }

    private RunFacts process(Database database, Bus bus, Parts parts)
            throws SQLException, IOException, InterruptedException {
        var input = settings.input();
        CorruptPayments spoiled = settings.faultSeed().isPresent()
                ? CorruptPayments.lastOfSomeWallets(input.lines())
                : CorruptPayments.NONE;
        long startedAt = System.nanoTime();
        try (var consumers = Consumers.of(parts.installation(), bus, new MailDirectory(parts.mails()), around());
                RelayHost relay = startRelay(database, bus, parts.installation(), spoiled);
                var intake =
                        IntakeRun.start(spoiled.intake(parts.installation()), input.lines(), WRITERS, relay.pace())) {
            consumers.start();
            var ledger = new LedgerCount(database.pool(), database.schemas().forge());
            var watch = new Watch(input, intake, bus, relay, ledger);
            watch.follow(screen, events, settings.patience());
            new TransferRun(parts.installation(), settings.faultSeed().orElse(1)).run(input.transactions(), events);
            new ReadersWatch(parts.installation(), parts.mails()).follow(settings.patience());
            double seconds = (System.nanoTime() - startedAt) / 1e9;
            watch.show(screen, events);
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

    private UnaryOperator<Handler> around() {
        return settings.faultSeed().isPresent() ? handlerFaults::in : UnaryOperator.identity();
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    private record Parts(NamedInstallation installation, Path mails) {}

    private Bus openBus() {
        return settings.serviceBus().<Bus>map(GivenBus::new).orElseGet(this::embeddedBus);
    }

    private EmbeddedBus embeddedBus() {
        Duration lock = settings.faultSeed().isPresent() ? LOCK_WITH_FAULTS : LOCK;
        return EmbeddedBus.start(
                settings.input().lines().size(), lock, settings.faultSeed().orElse(1));
    }

    private RelayHost startRelay(Database database, Bus bus, Installation installation, CorruptPayments spoiled) {
        if (settings.faultSeed().isPresent() && bus instanceof EmbeddedBus embedded) {
            String suffix = installation.messageId("");
            var load = new FaultyRun.Load(
                    settings.input().lines().size(),
                    settings.input().transactions(),
                    settings.faultSeed().getAsLong(),
                    settings.consolePort().isPresent(),
                    id -> spoiled.affectWalletOf(id.substring(0, id.length() - suffix.length())));
            return FaultyRun.start(
                    new FaultyRun.Surroundings(database.pool(), embedded, launch(database, bus)),
                    load,
                    handlerFaults,
                    DeadLetterRepair.open(installation, spoiled),
                    events::add);
        }
        var relay = RelayService.start(installation, RelayTempo.CALM);
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
