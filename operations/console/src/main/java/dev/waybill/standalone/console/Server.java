package dev.waybill.standalone.console;

import dev.waybill.standalone.config.ConsoleSettings;
import dev.waybill.standalone.console.access.RequestCheck;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.SizeUnit;
import java.time.Duration;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A web server with strict limits, so that the console cannot harm the relays. */
final class Server {
    private static final int MOST_THREADS = 24;
    private static final int LONGEST_FORM = 64 << 10;
    private static final int LONGEST_HEAD = 8 << 10;
    private static final int SLOWEST_BYTES_A_SECOND = 256;
    private static final Duration IDLE = Duration.ofSeconds(20);
    private static final int MOST_WAITING = 64;

    private Server() {}

    static Javalin create(ConsoleSettings.Place place, Failures failures) {
        Javalin server = Javalin.create(config -> configure(config, place));
        failures.register(server);
        return server;
    }

    private static void configure(JavalinConfig config, ConsoleSettings.Place place) {
        config.showJavalinBanner = false;
        config.startupWatcherEnabled = false;
        config.http.maxRequestSize = LONGEST_FORM;
        // Uploads stay in memory: no message reaches the disk.
        config.jetty.multipartConfig.maxInMemoryFileSize(RequestCheck.LONGEST_FILE + 1, SizeUnit.BYTES);
        config.jetty.multipartConfig.maxFileSize(RequestCheck.LONGEST_FILE, SizeUnit.BYTES);
        config.http.prefer405over404 = true;
        config.http.disableCompression();
        config.jetty.threadPool = threads();
        config.jetty.modifyServer(server -> server.setErrorHandler(new PlainErrors()));
        config.jetty.addConnector((server, http) -> connector(server, http, place));
    }

    private static QueuedThreadPool threads() {
        var threads = new QueuedThreadPool(
                MOST_THREADS, 2, (int) Duration.ofMinutes(1).toMillis());
        threads.setName("waybill-console");
        threads.setDaemon(true);
        return threads;
    }

    private static Connector connector(
            org.eclipse.jetty.server.Server server, HttpConfiguration http, ConsoleSettings.Place place) {
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setRequestHeaderSize(LONGEST_HEAD);
        http.setMinRequestDataRate(SLOWEST_BYTES_A_SECOND);
        http.setUriCompliance(UriCompliance.RFC3986);
        var connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(place.bind());
        connector.setPort(place.port());
        connector.setIdleTimeout(IDLE.toMillis());
        connector.setAcceptQueueSize(MOST_WAITING);
        return connector;
    }
}
