package dev.waybill.embedded.postgres;

import java.util.concurrent.CountDownLatch;

/** Runs an embedded server until the process is told to end, for trying things out. */
public final class Serve {
    private Serve() {}

    /** Prints the JDBC URL and serves. */
    public static void main(String[] arguments) throws InterruptedException {
        try (PostgresServer server = PostgresServer.embedded()) {
            System.out.println(server.jdbcUrl());
            new CountDownLatch(1).await();
        }
    }
}
