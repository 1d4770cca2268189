"""Parts of the tab for remote skills of Solon AI."""
