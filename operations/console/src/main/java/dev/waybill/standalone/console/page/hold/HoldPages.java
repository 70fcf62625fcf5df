package dev.waybill.standalone.console.page.hold;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;

/** All pages about holds. */
public final class HoldPages {
    private HoldPages() {}

    /** Registers the pages. */
    public static void register(Routes routes, SignIn.Render render, ContentMask mask) {
        new HoldPage(render, mask).register(routes);
        new HoldBulkPage(render).register(routes);
        new HeldEditPages(render, mask).register(routes);
    }
}
