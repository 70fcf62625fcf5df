package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Reads which relay exports the metrics of the whole outbox. Thread-safe. */
public final class PartReader {
    private final DSLContext dsl;
    private final SchemaName schema;
    private final ConsumerReader consumers;

    public PartReader(DataSource dataSource, SchemaName schema) {
        this.dsl = OptionalTables.of(DSL.using(dataSource, SQLDialect.POSTGRES), schema);
        this.schema = schema;
        consumers = new ConsumerReader(dsl, schema);
    }

    /** The share of a relay; registers the relay as an exporter. */
    public RelayPart relay(String name) {
        dsl.execute(
                "update %s.relay set tells_figures = true where name = {0} and not tells_figures".formatted(schema),
                val(name));
        return dsl.fetchSingle(RELAY.formatted(schema), val(name))
                .map(row -> new RelayPart(
                        row.get("tells", Boolean.class),
                        row.get("destinations", Integer.class),
                        row.get("changes", Long.class)));
    }

    /** Every consumer that was active within a week or has a hold. */
    public List<ConsumerView> consumers() {
        return consumers.lately();
    }

    private static final String RELAY = """
            with alive as materialized (select * from %1$s.relay where alive_until > clock_timestamp())
            select
              coalesce((select a.name = {0} from alive a where a.tells_figures order by a.started_at, a.id limit 1), true)
                as tells,
              (select count(*)::integer from %1$s.outbox_destination d join alive a on a.id = d.owner
               where a.name = {0} and d.destination = any(a.serving)) as destinations,
              (select coalesce(sum(epoch), 0)::bigint from %1$s.outbox_destination) as changes
            """;
}
