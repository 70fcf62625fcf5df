package dev.waybill.standalone.doctor;

import dev.waybill.schema.SchemaName;
import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** Reports transactions for which appends wait, by a session's lock or a lock on the outbox, its schedule or its sequence. */
final class AppendsExamination {
    /** Appends of a session wait for one another; a transaction is short. */
    static final Duration LONG = Duration.ofSeconds(5);

    private final DSLContext dsl;
    private final SchemaName schema;
    private final Findings findings;
    private final String where;

    AppendsExamination(DSLContext dsl, SchemaName schema, Findings findings, String where) {
        this.dsl = dsl;
        this.schema = schema;
        this.findings = findings;
        this.where = where;
    }

    /** Reports transactions for which an append has waited for this long. */
    void run(Duration longer) {
        for (var row : dsl.fetch(BLOCKING.formatted(schema), DSL.val(longer.toMillis()))) {
            findings.error(
                    Diagnosis.APPENDS_BLOCKED,
                    where,
                    row.get("waiting") + " for " + row.get("who") + ", the first for " + row.get("seconds") + " s",
                    String.valueOf(row.get("fix")));
        }
    }

    // The lock of a session has the class of SessionLocks. Waiters queue behind waiters: those at fault do not wait
    // themselves. A prepared transaction has the pid 0; it is found by the lock on its own number, which has the same
    // virtual transaction.
    private static final String BLOCKING = """
            with recursive waiting as materialized (
              select l.*, extract(epoch from clock_timestamp() - l.waitstart) as seconds
              from pg_locks l
              where not l.granted and l.database = (select oid from pg_database where datname = current_database())
                and (l.locktype = 'advisory' and l.classid = 1463900482 and l.objsubid = 2
                  or l.relation in ('%1$s.outbox_message'::regclass, '%1$s.outbox_scheduled'::regclass, '%1$s.outbox_seq'::regclass))
            ), blocked as materialized (
              select w.pid, b.blocker from waiting w cross join lateral unnest(pg_blocking_pids(w.pid)) as b (blocker)
            ), chain as (
              select pid, pid as last, blocker from blocked
              union
              select c.pid, b.pid, b.blocker from chain c join blocked b on b.pid = c.blocker
            ), fault as (
              select c.pid, c.blocker, w.seconds, l.virtualtransaction
              from chain c
              join waiting w on w.pid = c.pid
              join waiting d on d.pid = c.last
              left join pg_locks l on c.blocker = 0 and l.pid is null and l.granted and l.locktype = d.locktype
                and l.database = d.database and l.relation is not distinct from d.relation
                and l.classid is not distinct from d.classid and l.objid is not distinct from d.objid
              where c.blocker not in (select pid from waiting)
            ), named as (
              select 'session ' || f.blocker || coalesce(' of ' || a.usename, '') || coalesce(' (' || a.application_name || ')', '')
                  || coalesce(', ' || a.state, '') || coalesce(', its transaction began ' || a.xact_start::timestamptz(0), '') as who,
                'select pg_terminate_backend(' || f.blocker || ');   -- or end it where it runs' as fix, f.pid, f.seconds
              from fault f left join pg_stat_activity a on a.pid = f.blocker
              where f.blocker <> 0
              union
              select 'prepared transaction ' || quote_literal(p.gid) || ' of ' || p.owner || ', prepared ' || p.prepared::timestamptz(0),
                'ask its transaction manager for the outcome, then: commit prepared ' || quote_literal(p.gid)
                  || ';   -- or, if it says so: rollback prepared ' || quote_literal(p.gid), f.pid, f.seconds
              from fault f
              join pg_locks t on t.pid is null and t.locktype = 'transactionid' and t.virtualtransaction = f.virtualtransaction
              join pg_prepared_xacts p on p.transaction = t.transactionid
            )
            select who, fix, count(distinct pid) || case count(distinct pid) when 1 then ' append waits' else ' appends wait' end as waiting,
              round(max(seconds)) as seconds
            from named group by who, fix having max(seconds) * 1000 >= {0} order by who
            """;
}
