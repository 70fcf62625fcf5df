package dev.waybill.upgrade;

import dev.waybill.upgrade.Arrivals.Arrival;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/**
 * Every change of owner that the database has seen, by triggers on the leases of both builds. Leases of the first edition are
 * by bucket, those of the second by destination and bucket; the test has one destination.
 */
final class OwnershipLog {
    private final DSLContext dsl;
    private final String schema;

    private OwnershipLog(DSLContext dsl, String schema) {
        this.dsl = dsl;
        this.schema = schema;
    }

    /** @param leases the table in which the older build's relays have their leases */
    static OwnershipLog begin(DSLContext dsl, String schema, String leases) {
        dsl.execute("""
                create table %1$s.ownership_log (
                    id bigint generated always as identity, bucket int, owner uuid, epoch bigint,
                    at timestamptz default clock_timestamp());
                create table %1$s.ownership_name (owner uuid, name text);
                create function %1$s.log_owner() returns trigger language plpgsql as $$ begin
                    insert into %1$s.ownership_log (bucket, owner, epoch) values (new.bucket, new.owner, new.epoch);
                    return new;
                end $$;
                create function %1$s.log_name() returns trigger language plpgsql as $$ begin
                    insert into %1$s.ownership_name values (new.id, new.name);
                    return new;
                end $$;
                create trigger log_name after insert on %1$s.relay_instance
                    for each row execute function %1$s.log_name()""".formatted(schema));
        var log = new OwnershipLog(dsl, schema);
        log.watch(leases);
        return log;
    }

    /** Before any relay of the second edition has begun. */
    void goOn() {
        watch("outbox_lane");
    }

    private void watch(String table) {
        dsl.execute("""
                create trigger log_owner after update of owner on %1$s.%2$s
                    for each row when (new.owner is distinct from old.owner) execute function %1$s.log_owner();
                create trigger log_first after insert on %1$s.%2$s
                    for each row execute function %1$s.log_owner()""".formatted(schema, table));
    }

    /** How often a lane was taken. */
    int claims() {
        return dsl.fetchCount(DSL.table(schema + ".ownership_log"), DSL.condition("owner is not null"));
    }

    /** Whether each change of owner has a higher epoch than the one before. */
    List<String> epochsThatDidNotRise() {
        return dsl.fetch("""
                select bucket || ': ' || epoch || ' after ' || before from (
                    select bucket, owner, epoch, lag(epoch) over (partition by bucket order by id) as before
                    from %s.ownership_log) l
                where owner is not null and epoch <= before""".formatted(schema)).getValues(0, String.class);
    }

    /** Arrivals from a relay that did not own the session's lane, or did not any more. */
    List<String> arrivalsFromOthers(List<Arrival> arrivals) {
        Map<String, List<Tenure>> tenures = tenures();
        Map<String, Integer> buckets = new HashMap<>();
        var wrong = new ArrayList<String>();
        for (Arrival arrival : arrivals) {
            int bucket = buckets.computeIfAbsent(arrival.session(), this::bucket);
            List<Tenure> own = tenures.getOrDefault(arrival.relay() + "/" + bucket, List.of());
            if (own.stream().noneMatch(tenure -> tenure.covers(arrival.at()))) {
                wrong.add(arrival + " in lane " + bucket + ", owned by it in " + own);
            }
        }
        return wrong;
    }

    private int bucket(String session) {
        return dsl.fetchSingle("select (hashtextextended({0} collate \"C\", 0) & 31)::int", DSL.val(session))
                .get(0, Integer.class);
    }

    private Map<String, List<Tenure>> tenures() {
        Map<UUID, String> names = dsl.fetch("select distinct owner, name from " + schema + ".ownership_name")
                .intoMap(row -> row.get(0, UUID.class), row -> row.get(1, String.class));
        var tenures = new HashMap<String, List<Tenure>>();
        dsl.fetch("""
                        select owner, bucket, at, coalesce(lead(at) over (partition by bucket order by id), clock_timestamp() + interval '1 day')
                        from %s.ownership_log order by id""".formatted(schema)).forEach(row -> {
            UUID owner = row.get(0, UUID.class);
            if (owner != null) {
                tenures.computeIfAbsent(names.get(owner) + "/" + row.get(1, Integer.class), key -> new ArrayList<>())
                        .add(new Tenure(instant(row.get(2)), instant(row.get(3))));
            }
        });
        return tenures;
    }

    private static Instant instant(Object time) {
        return time instanceof OffsetDateTime at ? at.toInstant() : ((java.sql.Timestamp) time).toInstant();
    }

    /** From when until when a relay had a lane. */
    private record Tenure(Instant from, Instant until) {
        boolean covers(Instant time) {
            return !time.isBefore(from) && time.isBefore(until);
        }
    }
}
