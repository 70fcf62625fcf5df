package dev.waybill.proof.check;

/** What breaks a promise, a row each, described in the first column. */
final class Queries {
    static final String NOT_ARRIVED = """
            select id || ' of ' || session || ', place ' || n || ', ' || style from truth
            where not exists (select from arrival where arrival.id = truth.id)
            """;
    static final String TWICE = """
            select consumer || ': ' || id || ' ' || count(*) || ' times' from effect group by consumer, id having count(*) > 1
            """;
    // A copy of a dead letter or of a replay has an id of its own on the broker.
    static final String PHANTOM_ARRIVALS = """
            select distinct id from arrival where id !~ '~[0-9a-v]{26}$'
                and not exists (select from truth where truth.id = arrival.id)
            """;
    static final String PHANTOM_EFFECTS = """
            select consumer || ': ' || id from effect where not exists (select from truth where truth.id = effect.id)
            """;
    static final String ARRIVALS_OUT_OF_ORDER = """
            select session || ': ' || id || ' with place ' || n || ' behind ' || before from (
                select session, id, n, lag(n) over (partition by session order by life, seq) as before from (
                    select truth.session, truth.id, truth.n, arrival.life, arrival.seq,
                        row_number() over (partition by truth.id order by arrival.life, arrival.seq) as nth
                    from truth join arrival using (id)) arrived
                where nth = 1) ordered
            where before > n
            """;
    static final String LEFT = """
            select destination || ' ' || message_id from waybill.outbox_message
            union all
            select side || ' hold ' || scope || ' ' || session from (
                select 'outbox' as side, destination as scope, session_id as session from waybill.outbox_hold
                union all select 'inbox', consumer, session_id from waybill.inbox_hold) hold
            """;
    static final String LETTERS = """
            select entity || ' ' || message_id || ' ' || state from waybill.dead_letter_message
            join waybill.dead_letter_state using (id) where state in ('open', 'quarantined')
            """;
    static final String NOT_AUDITED = """
            select verb || ': ' || deeds || ' deeds, ' || audited || ' in the audit' from (
                select verb, count(*) as deeds,
                    (select count(*) from waybill.operator_action where operator = 'operator' and action like '%' || verb || '%')
                        as audited
                from operator_deed group by verb) counted
            where audited < deeds
            """;

    private Queries() {}

    /** Whether some message still has no effect, or some transaction no end. */
    static String unfinished() {
        return "select exists (select from pg_prepared_xacts where database = current_database()) or exists ("
                + noEffect("ledger") + ") or exists (" + noEffect("audit") + ") or exists (" + noEffect("notify") + ")";
    }

    static String noEffect(String consumer) {
        return """
                select id || ' of ' || session || ', place ' || n || ', ' || style from truth
                where (notified or '%1$s' <> 'notify')
                    and not exists (select from effect where effect.id = truth.id and consumer = '%1$s')
                    and not exists (select from skipped where skipped.id = truth.id and consumer = '%1$s')
                """.formatted(consumer);
    }

    // Cured messages may come late where a failed message does not hold its session; so may copies of a replay.
    static String outOfOrder(String consumer) {
        return """
                select session || ': ' || id || ' with place ' || place || ' behind ' || before from (
                    select effect.session, effect.id, truth.n as place,
                        lag(truth.n) over (partition by effect.session order by effect.n) as before
                    from effect join truth using (id)
                    where consumer = '%1$s' and not exists (select from replayed where replayed.id = effect.id)
                        and ('%1$s' = 'ledger'
                            or not exists (select from waybill.dead_letter_message where message_id = effect.id))) ordered
                where before > place
                """.formatted(consumer);
    }
}
