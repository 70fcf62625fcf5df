package dev.waybill.standalone.console.page;

import dev.waybill.hold.AuditContext;
import dev.waybill.schema.DeadlockRetry;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.page.form.FormTimes;
import dev.waybill.standalone.database.KnownDestinations;
import dev.waybill.standalone.log.AuditLog;
import dev.waybill.standalone.replay.OutboxReplay;
import dev.waybill.standalone.replay.ReplayCount;
import dev.waybill.standalone.replay.ReplaySelection;
import dev.waybill.standalone.replay.ReplayStart;
import java.time.Instant;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** The words of people and programs that a replay shall begin, go on or end. Thread-safe. */
public final class ReplayRequests {
    /** Somebody waits: what takes longer goes on when it is told to. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Database database;

    /** Those about a database. */
    public ReplayRequests(Database database) {
        this.database = database;
    }

    /**
     * Which messages, as texts say it.
     *
     * @param session empty for all
     * @param from empty for the first one
     * @param until empty for this moment, by the database's clock
     */
    public ReplaySelection selection(String destination, String session, String from, String until) {
        Instant end = until.isEmpty()
                ? new ReplayStart(database.viewers(), database.schema()).now()
                : FormTimes.of(until, "until");
        var selection = ReplaySelection.of(known(destination.strip())).until(end);
        selection = session.isBlank() ? selection : selection.ofSession(session.strip());
        return from.isEmpty() ? selection : selection.from(FormTimes.of(from, "from"));
    }

    private String known(String name) {
        try {
            KnownDestinations.require(name, database.settings(), database.viewers());
            return name;
        } catch (NoSuchElementException e) {
            throw new Refusal(404, String.valueOf(e.getMessage()));
        }
    }

    /** How many messages it names. */
    public ReplayCount count(ReplaySelection selection) {
        return OutboxReplay.of(database.viewers(), database.schema()).count(selection);
    }

    /**
     * Begins a run and takes its first steps.
     *
     * @param seen how many messages there were to publish once more
     * @return the run; empty if it was begun before, or there is more now
     */
    public Optional<UUID> begin(ReplaySelection selection, long seen, AuditContext instruction) {
        OutboxReplay replay = OutboxReplay.of(database.operators(), database.schema());
        Optional<UUID> run = replay.count(selection).published() > seen
                ? Optional.empty()
                : new ReplayStart(database.operators(), database.schema()).once(selection, instruction);
        run.ifPresent(id -> take(replay, id));
        return run;
    }

    /** Takes steps, each a transaction of its own, for as long as somebody waits for the answer. */
    private static void take(OutboxReplay replay, UUID run) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        int copies;
        do {
            copies = DeadlockRetry.of(() -> replay.step(run));
        } while (copies > 0 && System.nanoTime() - end < 0);
    }

    /** Lets a run go on for a while; false if it is over. */
    public boolean resume(UUID run, AuditContext instruction) {
        OutboxReplay replay = OutboxReplay.of(database.operators(), database.schema());
        boolean open = replay.open().contains(run);
        if (open) {
            tell(run, "told to go on", instruction);
            take(replay, run);
        }
        return open;
    }

    /** Ends a run; false if it is over. */
    public boolean abandon(UUID run, AuditContext instruction) {
        boolean ended = OutboxReplay.of(database.operators(), database.schema()).abandon(run, instruction);
        if (ended) {
            tell(run, "abandoned", instruction);
        }
        return ended;
    }

    private void tell(UUID run, String what, AuditContext instruction) {
        AuditLog.tell(
                "Replay " + run + " in " + database.settings() + " was " + what + " in the console",
                instruction.operator(),
                instruction.reason());
    }
}
