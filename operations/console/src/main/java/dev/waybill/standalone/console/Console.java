package dev.waybill.standalone.console;

import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ConsoleSettings;
import dev.waybill.standalone.console.access.Access;
import dev.waybill.standalone.console.access.ApiRoutes;
import dev.waybill.standalone.console.access.Databases;
import dev.waybill.standalone.console.access.PeoplePage;
import dev.waybill.standalone.console.access.RequestCheck;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.console.api.Api;
import dev.waybill.standalone.console.page.ContentSearch;
import dev.waybill.standalone.console.page.DoctorRuns;
import dev.waybill.standalone.console.page.Layout;
import dev.waybill.standalone.console.page.OverviewCache;
import dev.waybill.standalone.console.page.Pages;
import dev.waybill.standalone.console.page.letter.RedriveRunner;
import dev.waybill.standalone.console.view.Assets;
import io.javalin.Javalin;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operators' console. It starts without a database or a broker. */
public final class Console implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Console.class);
    private static final int READERS = 8;

    /** Concurrent re-drives; others are queued. */
    private static final int REDRIVES = 4;

    private final Javalin server;
    private final Access access;
    private final Databases databases;
    private final ExecutorService readers;
    private final ExecutorService redrives;
    private final List<ApiRoutes.Operation> operations;

    private Console(Configuration configuration) {
        ConsoleSettings settings = configuration.console();
        access = Access.of(configuration, token -> tell(settings.place(), token));
        databases = new Databases(configuration);
        readers = Executors.newFixedThreadPool(READERS, work -> daemon(work, "waybill-console-reads"));
        redrives = Executors.newFixedThreadPool(REDRIVES, work -> daemon(work, "waybill-console-redrives"));
        var assets = new Assets();
        var layout = new Layout(assets, databases);
        server = Server.create(settings.place(), new Failures(layout, access));
        server.before(new RequestCheck(settings.place())::pass);
        var routes = new Routes(server, access, databases);
        routes.assets(assets);
        new SignIn(access, layout).register(routes, server);
        new PeoplePage(access, layout).register(routes);
        var outlooks = new OverviewCache(readers, System::nanoTime);
        var rounds = new DoctorRuns(configuration, readers, System::nanoTime);
        var work = new RedriveRunner(redrives);
        var contents = new ContentSearch(settings.messages().mask());
        var sources = new Pages.Sources(databases, outlooks, rounds, work, contents);
        Pages.register(routes, layout, configuration, sources);
        var api = new ApiRoutes(server, access, databases);
        Api.register(api, routes, layout, sources, settings.messages());
        operations = api.operations();
        start(settings.place());
    }

    /**
     * Starts the console.
     *
     * @throws ConfigException if access is insufficiently protected, or if the port is in use
     */
    public static Console start(Configuration configuration) {
        List<String> refusals = configuration.console().refusals();
        if (!refusals.isEmpty()) {
            throw new ConfigException(refusals);
        }
        var console = new Console(configuration);
        LOG.info(
                "The console is served on {}:{}",
                configuration.console().place().bind(),
                console.port());
        console.access.begin();
        return console;
    }

    private void start(ConsoleSettings.Place place) {
        try {
            server.start();
        } catch (RuntimeException e) {
            close();
            throw new ConfigException("The console cannot be served on " + place.bind() + ":" + place.port() + ": "
                    + (e.getCause() == null ? e : e.getCause()).getMessage()
                    + "; console.port and console.bind name another place");
        }
    }

    private String address(ConsoleSettings.Place place) {
        String local = place.bind().contains(":") ? "[::1]" : "127.0.0.1";
        String host =
                place.hosts().contains(local) ? local : place.hosts().iterator().next();
        return place.https() ? "https://" + host : "http://" + host + ":" + port();
    }

    // Anyone who reads the log can sign in once.
    private void tell(ConsoleSettings.Place place, String token) {
        LOG.info("Sign in to the console, once, at {}/start?token={}", address(place), token);
    }

    private static Thread daemon(Runnable work, String name) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    public int port() {
        return server.port();
    }

    List<ApiRoutes.Operation> operations() {
        return operations;
    }

    @Override
    public void close() {
        server.stop();
        readers.shutdownNow();
        redrives.shutdownNow();
        databases.close();
        access.close();
    }
}
