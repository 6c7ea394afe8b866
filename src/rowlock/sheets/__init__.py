"""Printed score sheets as PDF files."""

from rowlock.sheets.pdf import PAPERS, PrintError, make_pdf

__all__ = ["PAPERS", "PrintError", "make_pdf"]
