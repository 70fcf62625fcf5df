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

/** Starts, resumes and abandons replays. Thread-safe. */
public final class ReplayRequests {
    /** A person waits; a longer run continues on request. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Database database;

    public ReplayRequests(Database database) {
        this.database = database;
    }

    /** Parses a selection; an empty {@code until} is the database's current time. */
    public ReplaySelection selection(String destination, String session, String from, String until) {
        Instant end = until.isEmpty()
                ? new ReplayStart(database.viewers(), database.schema()).now()
                : FormTimes.of(until, "until");
        var selection = ReplaySelection.of(known(destination.strip())).until(end);
        selection = session.isBlank() ? selection : selection.ofSession(session);
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

    public ReplayCount count(ReplaySelection selection) {
        return OutboxReplay.of(database.viewers(), database.schema()).count(selection);
    }

    /** Starts a run and executes its first steps; empty if the run exists already, or more messages match than the person saw. */
    public Optional<UUID> begin(ReplaySelection selection, long seen, AuditContext instruction) {
        OutboxReplay replay = OutboxReplay.of(database.operators(), database.schema());
        Optional<UUID> run = replay.count(selection).published() > seen
                ? Optional.empty()
                : new ReplayStart(database.operators(), database.schema()).once(selection, instruction);
        run.ifPresent(id -> take(replay, id));
        return run;
    }

    /** Executes steps within the waiting time of a person. */
    private static void take(OutboxReplay replay, UUID run) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        int copies;
        do {
            copies = DeadlockRetry.of(() -> replay.step(run));
        } while (copies > 0 && System.nanoTime() - end < 0);
    }

    /** Continues a run for a while; false if it has ended. */
    public boolean resume(UUID run, AuditContext instruction) {
        OutboxReplay replay = OutboxReplay.of(database.operators(), database.schema());
        boolean open = replay.open().contains(run);
        if (open) {
            tell(run, "told to go on", instruction);
            take(replay, run);
        }
        return open;
    }

    /** Abandons a run; false if it has ended. */
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
