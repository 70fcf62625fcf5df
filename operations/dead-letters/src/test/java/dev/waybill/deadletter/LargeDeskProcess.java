package dev.waybill.deadletter;

import dev.waybill.deadletter.stuck.StuckMessages;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldTally;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.schema.SchemaName;
import java.util.concurrent.atomic.AtomicLong;

/** All that can be done to many held messages, in a JVM with little memory. Exit code 0 if everything came out right. */
public final class LargeDeskProcess {
    private LargeDeskProcess() {}

    /** Arguments: JDBC URL, schema, how many holds, how many messages. */
    public static void main(String[] args) {
        var schema = new SchemaName(args[1]);
        var all = new HoldTally(Long.parseLong(args[2]), Long.parseLong(args[3]), 0);
        var word = new AuditContext("ada", "all of them");
        try (var pool = PostgresServer.pool(args[0], 2)) {
            var desk = StuckMessages.in(pool, schema, InboxHolds.in(pool, schema));
            var seen = new AtomicLong();
            desk.forEach(HoldFilter.parked(), hold -> seen.addAndGet(hold.messages()));
            require(seen.get() == all.messages(), 2);
            require(desk.plan(HoldFilter.parked()).equals(all), 3);
            require(desk.redrive(HoldFilter.parked(), word).equals(all), 4);
            require(desk.discardAll(HoldFilter.everything(), word).equals(all), 5);
        }
        System.exit(0);
    }

    private static void require(boolean right, int otherwise) {
        if (!right) {
            System.exit(otherwise);
        }
    }
}
