package dev.waybill.relay;

import dev.waybill.relay.loop.RelayEngine;
import dev.waybill.relay.loop.RelaySettings;
import dev.waybill.schema.BinaryParameters;
import dev.waybill.schema.DriverConnection;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.Grants;
import dev.waybill.schema.Prerequisites;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlError;
import dev.waybill.supervision.DatabaseAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Checks the database and the pool, then registers the relay. Not thread-safe. */
final class SignOn {
    private static final String TRANSACTION_READ_ONLY = "select current_setting('transaction_read_only')";

    /** The time to open one more connection. */
    private static final Duration PATIENCE_WITH_POOL = Duration.ofSeconds(5);

    private final RelayEngine engine;
    private final DSLContext dsl;
    private final SchemaName schema;
    private final boolean single;
    private boolean required;

    SignOn(RelaySettings settings, RelayEngine engine) {
        this.engine = engine;
        this.dsl = engine.dsl();
        this.schema = settings.database().schema();
        this.single = settings.database().single();
    }

    /** @param threads whether the relay keeps connections for its own threads */
    void run(boolean threads) {
        try {
            dsl.connection(connection -> engine.outage().at(DatabaseAddress.of(connection)));
            dsl.connection(BinaryParameters::require);
            if (threads) {
                checkPool();
            } else if (!single) {
                requireSeparateConnections();
            }
            if (!required) {
                requireWritableConnections();
                FeatureMissing.require(dsl, schema, "outbox_message");
                Prerequisites.require(dsl, schema);
                RelayGrants.require(dsl, schema);
                required = true;
            }
            engine.signOn();
        } catch (DataAccessException e) {
            throw explained(e);
        }
    }

    private void checkPool() {
        try {
            PoolCheck.run(dsl.configuration().connectionProvider(), engine.connections(), PATIENCE_WITH_POOL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // A relay's threads keep their connections. With the connection of the caller's transaction, each statement would
    // commit the caller's work.
    private void requireSeparateConnections() {
        dsl.connection(one -> dsl.connection(other -> {
            if (DriverConnection.isSame(one, other)) {
                throw new IllegalStateException(
                        "The data source returns one connection for all requests of a thread, as"
                                + " inside a transaction; give the relay the underlying pool");
            }
        }));
    }

    // The driver reports read-only to the server only when a transaction begins: heartbeats would succeed, but claims
    // fail.
    private void requireWritableConnections() {
        boolean readOnly = dsl.connectionResult(SignOn::isReadOnly)
                && dsl.transactionResult(tx -> "on".equals(tx.dsl().fetchValue(TRANSACTION_READ_ONLY)));
        if (readOnly) {
            throw new IllegalStateException("The data source returns read-only connections, and a relay writes;"
                    + " remove readOnly from the pool or the URL");
        }
    }

    // Some wrappers do not support this.
    private static boolean isReadOnly(Connection connection) {
        try {
            return connection.isReadOnly();
        } catch (SQLException e) {
            return false;
        }
    }

    private RuntimeException explained(DataAccessException e) {
        String failure = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
        @Nullable SqlError error = SqlError.of(e.sqlState());
        if (error == SqlError.DENIED) {
            return new IllegalStateException(
                    failure + ". Run as the tables' owner: " + Grants.command(schema, "relay", Grants.user(dsl)), e);
        }
        return error == SqlError.READ_ONLY
                ? new DataAccessException(
                        failure
                                + "; the server is a standby: add targetServerType=primary to the URL."
                                + " Or default_transaction_read_only is on: alter role " + Grants.user(dsl)
                                + " reset default_transaction_read_only",
                        e)
                : e;
    }
}
