package dev.waybill.embedded.postgres;

import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.PostgreSQLContainer;

/** A server in a container; absent where Testcontainers is not on the class path or Docker does not answer. */
final class ContainerPostgres {
    private static final String IMAGE = "postgres:17-alpine";

    private ContainerPostgres() {}

    static Optional<PostgresServer> tryStart() {
        return testcontainersPresent() && DockerClientFactory.instance().isDockerAvailable()
                ? Optional.of(run())
                : Optional.empty();
    }

    private static boolean testcontainersPresent() {
        try {
            Class.forName("org.testcontainers.containers.PostgreSQLContainer");
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    // Stopped by PostgresServer.close, and by Testcontainers itself if the JVM dies.
    @SuppressWarnings("resource")
    private static PostgresServer run() {
        var container = new PostgreSQLContainer<>(IMAGE).withCommand("postgres", "-c", "max_connections=200");
        container.start();
        String url = container.getJdbcUrl();
        String credentials = "user=" + container.getUsername() + "&password=" + container.getPassword();
        return PostgresServer.container(url + (url.contains("?") ? "&" : "?") + credentials, container::stop);
    }
}
