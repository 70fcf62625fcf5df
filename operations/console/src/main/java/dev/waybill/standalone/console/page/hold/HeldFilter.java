package dev.waybill.standalone.console.page.hold;

import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldSide;
import dev.waybill.standalone.console.page.form.Formats;
import dev.waybill.standalone.console.page.form.Forms;
import dev.waybill.standalone.console.page.form.SelectedIds;
import io.javalin.http.Context;
import java.util.List;

/** A filter of holds from the address. */
record HeldFilter(HoldSide side, String scope, String reason, List<Long> ids) {
    static HeldFilter of(Context request) {
        return new HeldFilter(
                HoldLookup.side(Forms.parameter(request, "side")),
                Forms.parameter(request, "scope"),
                Forms.parameter(request, "reason"),
                SelectedIds.of(Forms.parameter(request, "ids"), "Holds"));
    }

    /** Restricts the filter to these holds. */
    HeldFilter ticked(List<String> numbers) {
        return new HeldFilter(side, scope, reason, SelectedIds.of(String.join(".", numbers), "Holds"));
    }

    HoldFilter filter() {
        return narrowed(HoldFilter.everything());
    }

    HoldFilter parked() {
        return narrowed(HoldFilter.parked());
    }

    private HoldFilter narrowed(HoldFilter all) {
        HoldFilter filter = ids.isEmpty() ? all : all.ids(ids);
        filter = scope.isEmpty() ? filter : filter.scope(scope);
        return reason.isEmpty() ? filter : filter.reason(reason);
    }

    /** Whether it has a filter besides the side. */
    public boolean isNarrowed() {
        return !(scope + reason).isEmpty() || !ids.isEmpty();
    }

    public String sideWord() {
        return HoldLookup.word(side);
    }

    public String query() {
        return "side=" + sideWord() + "&scope=" + Formats.INSTANCE.url(scope) + "&reason="
                + Formats.INSTANCE.url(reason) + "&ids=" + SelectedIds.text(ids);
    }
}
