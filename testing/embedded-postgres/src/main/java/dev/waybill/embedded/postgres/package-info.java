/**
 * A real PostgreSQL wherever the code runs.
 *
 * <p>{@link dev.waybill.embedded.postgres.PostgresServer#start()} takes the first that applies:
 *
 * <ol>
 *   <li>the server named by the system property {@code waybill.jdbc-url} or the environment variable {@code
 *       WAYBILL_JDBC_URL};
 *   <li>a container, where Testcontainers is on the class path and Docker answers;
 *   <li>binaries unpacked from the class path and started on a free port of the loopback interface.
 * </ol>
 *
 * <p>{@link dev.waybill.embedded.postgres.PostgresExtension} gives each JUnit 5 test a schema name of its own on one
 * server per JVM and drops the schema afterwards, so tests need no order and leave nothing behind.
 *
 * <p>{@link dev.waybill.embedded.postgres.PostgresNode} and {@link dev.waybill.embedded.postgres.ReplicatedPostgres} are for
 * tests that do harm: servers of their own, always from the binaries, which crash, freeze, fall behind and are promoted.
 * {@link dev.waybill.embedded.postgres.TcpProxy} is the network between them and their clients.
 */
@NullMarked
package dev.waybill.embedded.postgres;

import org.jspecify.annotations.NullMarked;
