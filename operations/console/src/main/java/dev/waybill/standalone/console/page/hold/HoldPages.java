package dev.waybill.standalone.console.page.hold;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;

public final class HoldPages {
    private HoldPages() {}

    public static void register(Routes routes, SignIn.Render render, ContentMask mask) {
        new HoldPage(render, mask).register(routes);
        new HoldBulkPage(render).register(routes);
        new HeldEditPages(render, mask).register(routes);
    }
}
