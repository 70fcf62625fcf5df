package dev.waybill.benchmarks;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Leaves out the tests of other modules, which come as jars. */
final class WithoutTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
        return !location.contains("-tests.jar");
    }
}
