package dev.waybill.walletforge.demo.relay;

import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.schema.SchemaName;
import dev.waybill.walletforge.installation.ForgeSchemas;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The main class of a relay process. Nothing in it knows of kills. */
public final class RelayMain {
    private static final int CONNECTIONS = 4;

    private RelayMain() {}

    /**
     * Relays until the input ends.
     *
     * @throws IllegalArgumentException if a variable is missing
     */
    public static void run(Map<String, String> environment, InputStream until) throws IOException {
        var schema = new SchemaName(required(environment, RelayLaunch.SCHEMA));
        var address = new ServiceBusAddress(required(environment, RelayLaunch.SERVICE_BUS));
        try (var pool = PostgresServer.pool(required(environment, RelayLaunch.JDBC_URL), CONNECTIONS);
                var relay = RelayService.start(installation(pool, schema, address), RelayTempo.HASTY)) {
            while (until.read() >= 0) {
                relay.wake();
            }
        }
    }

    // A relay has no business with the service's own tables.
    private static Installation installation(DataSource pool, SchemaName schema, ServiceBusAddress address) {
        return Installation.of(pool, new ForgeSchemas(schema, schema), address);
    }

    private static String required(Map<String, String> environment, String name) {
        @Nullable String value = environment.get(name);
        if (value == null) {
            throw new IllegalArgumentException("The environment variable " + name + " is not set");
        }
        return value;
    }
}
