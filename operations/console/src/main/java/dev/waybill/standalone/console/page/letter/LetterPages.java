package dev.waybill.standalone.console.page.letter;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.standalone.console.access.Routes;
import dev.waybill.standalone.console.access.SignIn;

public final class LetterPages {
    private LetterPages() {}

    /** Registers the pages; {@code redrives} runs the re-drives. */
    public static void register(Routes routes, SignIn.Render render, ContentMask mask, RedriveRunner redrives) {
        new LettersPage(render, mask).register(routes);
        new LetterPage(render, mask).register(routes);
        new LetterEditPages(render, mask).register(routes);
        new LetterImportPage(render).register(routes);
        new LetterBulkPage(render, redrives, mask).register(routes);
        new RedrivePages(render, redrives).register(routes);
    }
}
