package dev.waybill.walletforge.repair;

import dev.waybill.deadletter.DeadLetterArchive;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.repair.RepairJob;
import dev.waybill.hold.AuditContext;
import dev.waybill.walletforge.archive.LedgerArchive;
import dev.waybill.walletforge.installation.Installation;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** What is done once a day. */
public final class NightlyJob {
    private static final String NAME = "walletforge-nightly";
    private static final Duration SIX_WEEKS = Duration.ofDays(42);

    private final Installation installation;
    private final DeadLetters deadLetters;
    private final DeadLetterArchive deadLetterArchive;

    public NightlyJob(Installation installation) {
        this.installation = installation;
        var schema = installation.schemas().waybill();
        // Nobody may change whose payment it is.
        deadLetters = DeadLetters.in(installation.dataSource(), schema, Set.of("session", "subject"));
        deadLetterArchive = DeadLetterArchive.in(installation.dataSource(), schema);
    }

    /** Repairs, re-drives, archives and prunes. */
    public void run() throws InterruptedException {
        repair();
        archiveClosed(Duration.ofDays(1));
        deadLetterArchive.expire(new AuditContext(NAME, "older than six weeks"));
        new LedgerArchive(installation).prune();
        installation.requests().prune(installation.dataSource(), false);
    }

    /** Repairs what a rule can repair, sends it back to its session, and says how many that were. */
    public int repair() throws InterruptedException {
        var redrives =
                Redrives.in(installation.dataSource(), installation.schemas().waybill());
        var job = RepairJob.of(deadLetters, redrives, List.of(new AmountRule()), RedriveRequest.toSource(), NAME);
        return job.run().counts().values().stream()
                .mapToInt(RepairJob.Report.Count::fixed)
                .sum();
    }

    /** Archives for six weeks the dead letters that were closed so long ago. */
    public void archiveClosed(Duration closedFor) {
        deadLetterArchive.archiveClosed(closedFor, SIX_WEEKS, new AuditContext(NAME, "kept for the auditors"));
    }
}
