package dev.waybill.standalone.console.page;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.console.access.Databases;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.page.hold.HoldPages;
import dev.waybill.standalone.console.page.letter.LetterPages;
import dev.waybill.standalone.console.page.letter.RedriveRunner;

public final class Pages {
    private Pages() {}

    public record Sources(
            Databases databases,
            OverviewCache outlooks,
            DoctorRuns rounds,
            RedriveRunner redrives,
            ContentSearch contents) {}

    public static void register(Routes routes, Layout layout, Configuration configuration, Sources sources) {
        Databases databases = sources.databases;
        OverviewCache outlooks = sources.outlooks;
        var messages = configuration.console().messages();
        new OverviewPage(layout, outlooks, databases, configuration).register(routes);
        new DestinationPage(layout, outlooks, configuration).register(routes);
        new MessagesPage(layout, messages.mask(), sources.contents).register(routes);
        HoldPages.register(routes, layout, messages.mask());
        LetterPages.register(routes, layout, messages.mask(), sources.redrives);
        new AuditPage(layout).register(routes);
        new ConsumersPage(layout).register(routes);
        new ScheduledPage(layout, messages.mask()).register(routes);
        new DeferralsPage(layout).register(routes);
        new ReplayPage(layout).register(routes);
        new DoctorPage(layout, sources.rounds, databases).register(routes);
        new BodyPage(layout, messages).register(routes);
    }
}
