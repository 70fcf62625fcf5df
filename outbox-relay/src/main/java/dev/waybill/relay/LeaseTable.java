package dev.waybill.relay;

import static dev.waybill.migrations.jooq.Tables.OUTBOX_LEASE;
import static dev.waybill.migrations.jooq.Tables.RELAY_INSTANCE;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.or;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** The leases and heartbeats in the database, on the database's clock. Each call is one statement of its own. */
final class LeaseTable {
    private static final Field<OffsetDateTime> NOW = field("clock_timestamp()", SQLDataType.TIMESTAMPWITHTIMEZONE);
    private static final Field<OffsetDateTime> NEVER =
            field("'-infinity'::timestamptz", SQLDataType.TIMESTAMPWITHTIMEZONE);

    private final DSLContext dsl;
    private final UUID owner;
    private final Field<OffsetDateTime> leaseEnd;

    LeaseTable(DSLContext dsl, UUID owner, Duration leaseDuration) {
        this.dsl = dsl;
        this.owner = owner;
        this.leaseEnd = field(
                "clock_timestamp() + {0} * interval '1 millisecond'",
                SQLDataType.TIMESTAMPWITHTIMEZONE, val(leaseDuration.toMillis()));
    }

    void beat(String name) {
        dsl.insertInto(RELAY_INSTANCE, RELAY_INSTANCE.ID, RELAY_INSTANCE.NAME, RELAY_INSTANCE.ALIVE_UNTIL)
                .values(val(owner), val(name), leaseEnd)
                .onConflict(RELAY_INSTANCE.ID)
                .doUpdate()
                .set(RELAY_INSTANCE.ALIVE_UNTIL, leaseEnd)
                .execute();
    }

    int liveRelays() {
        return dsl.fetchCount(RELAY_INSTANCE, RELAY_INSTANCE.ALIVE_UNTIL.gt(NOW));
    }

    /** Extends what is still ours, expired or not: as long as the owner stands, nobody has taken it. */
    Map<Short, Long> renew() {
        return dsl.update(OUTBOX_LEASE)
                .set(OUTBOX_LEASE.LEASE_UNTIL, leaseEnd)
                .where(OUTBOX_LEASE.OWNER.eq(owner))
                .returningResult(OUTBOX_LEASE.BUCKET, OUTBOX_LEASE.EPOCH)
                .fetchMap(OUTBOX_LEASE.BUCKET, OUTBOX_LEASE.EPOCH);
    }

    /** Takes up to {@code most} buckets that nobody owns or whose lease has run out. */
    List<Claim> claim(int most) {
        var orphaned = field(OUTBOX_LEASE.OWNER.isNotNull()).as("orphaned");
        var free = select(OUTBOX_LEASE.BUCKET, orphaned)
                .from(OUTBOX_LEASE)
                .where(OUTBOX_LEASE.OWNER.isNull().or(OUTBOX_LEASE.LEASE_UNTIL.lt(NOW)))
                .orderBy(OUTBOX_LEASE.BUCKET)
                .limit(most)
                .forUpdate()
                .skipLocked()
                .asTable("free");
        return dsl.update(OUTBOX_LEASE)
                .set(OUTBOX_LEASE.OWNER, owner)
                .set(OUTBOX_LEASE.EPOCH, OUTBOX_LEASE.EPOCH.plus(1))
                .set(OUTBOX_LEASE.LEASE_UNTIL, leaseEnd)
                .from(free)
                .where(OUTBOX_LEASE.BUCKET.eq(free.field(OUTBOX_LEASE.BUCKET)))
                .returningResult(OUTBOX_LEASE.BUCKET, OUTBOX_LEASE.EPOCH, free.field(orphaned))
                .fetch(row -> new Claim(row.value1(), row.value2(), row.value3()));
    }

    void release(Collection<Lease> leases) {
        List<Condition> ours = leases.stream()
                .map(lease -> OUTBOX_LEASE.BUCKET.eq(lease.bucket()).and(OUTBOX_LEASE.EPOCH.eq(lease.epoch())))
                .toList();
        dsl.update(OUTBOX_LEASE)
                .setNull(OUTBOX_LEASE.OWNER)
                .set(OUTBOX_LEASE.LEASE_UNTIL, NEVER)
                .where(OUTBOX_LEASE.OWNER.eq(owner).and(or(ours)))
                .execute();
    }

    /** A bucket that was taken, from nobody or from an owner whose lease had run out. */
    record Claim(short bucket, long epoch, boolean orphaned) {}

    void leave() {
        dsl.deleteFrom(RELAY_INSTANCE).where(RELAY_INSTANCE.ID.eq(owner)).execute();
    }
}
