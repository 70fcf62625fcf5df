package dev.waybill.standalone.console.page;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.console.access.Databases;
import dev.waybill.standalone.console.access.Routes;
import java.util.concurrent.Executor;

/** All pages about outboxes. */
public final class Pages {
    private Pages() {}

    /** Registers them. */
    public static void register(
            Routes routes, Layout layout, Databases databases, Configuration configuration, Executor threads) {
        var outlooks = new Outlooks(threads, System::nanoTime);
        new OverviewPage(layout, outlooks, databases, configuration).register(routes);
        new DestinationPage(layout, outlooks, configuration).register(routes);
        new MessagesPage(layout).register(routes);
        new HeldPages(layout).register(routes);
        new LettersPage(layout).register(routes);
        new LetterPage(layout).register(routes);
        new AuditPage(layout).register(routes);
        new ConsumersPage(layout).register(routes);
        new ScheduledPage(layout).register(routes);
        new DeferralsPage(layout).register(routes);
        new ReplayPage(layout).register(routes);
        new DoctorPage(layout, new Rounds(configuration, threads, System::nanoTime), databases).register(routes);
        new BodyPage(layout, configuration.console().bodyLimit()).register(routes);
    }
}
