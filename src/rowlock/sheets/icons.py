"""The shapes of colours and the signs of bonuses, drawn in a square of 24 with y downwards."""

from reportlab.pdfgen.canvas import FILL_EVEN_ODD, Canvas

Point = tuple[float, float]

POLYGONS: dict[str, list[list[Point]]] = {
    "R": [[(12, 3), (22, 20), (2, 20)]],
    "G": [[(3, 3), (21, 3), (21, 21), (3, 21)]],
    "B": [[(12, 1), (22, 12), (12, 23), (2, 12)]],
    "step": [[(2, 22), (2, 15), (9, 15), (9, 9), (16, 9), (16, 2), (22, 2), (22, 22)]],
    "bar": [[(12, 1), (15, 9), (23, 12), (15, 15), (12, 23), (9, 15), (1, 12), (9, 9)]],
    "notched": [
        [(9, 2), (15, 2), (15, 9), (22, 9), (22, 15), (15, 15), (15, 22), (9, 22), (9, 15), (2, 15), (2, 9), (9, 9)]
    ],
    "square": [[(3, 3), (21, 3), (21, 21), (3, 21)], [(7.5, 7.5), (16.5, 7.5), (16.5, 16.5), (7.5, 16.5)]],
    "octagon": [[(8, 2), (16, 2), (22, 8), (22, 16), (16, 22), (8, 22), (2, 16), (2, 8)]],
    "star": [[(12, 1), (15, 8.5), (23, 9), (17, 14.5), (19, 22.5), (12, 18), (5, 22.5), (7, 14.5), (1, 9), (9, 8.5)]],
}
CIRCLES: dict[str, list[float]] = {"Y": [10], "circle": [10, 5.5]}  # radii


def draw_icon(canvas: Canvas, name: str, x: float, y: float, size: float) -> None:
    """Fill an icon centred at a point; one that is not known is its first letter."""
    unit = size / 24
    path = canvas.beginPath()
    if name in CIRCLES:
        for radius in CIRCLES[name]:
            path.circle(x, y, radius * unit)
    elif name in POLYGONS:
        for polygon in POLYGONS[name]:
            first, *others = [(x + (right - 12) * unit, y - (down - 12) * unit) for right, down in polygon]
            path.moveTo(*first)
            for point in others:
                path.lineTo(*point)
            path.close()
    else:
        canvas.setFont("Helvetica-Bold", size)
        canvas.drawCentredString(x, y - size * 0.36, name[:1])
        return
    canvas.drawPath(path, stroke=0, fill=1, fillMode=FILL_EVEN_ODD)


def draw_lock(canvas: Canvas, x: float, y: float, size: float) -> None:
    """A padlock centred at a point, in the colours of stroke and fill."""
    canvas.setLineWidth(size * 0.11)
    path = canvas.beginPath()
    path.moveTo(x - size * 0.19, y)
    path.lineTo(x - size * 0.19, y + size * 0.14)
    path.curveTo(x - size * 0.19, y + size * 0.42, x + size * 0.19, y + size * 0.42, x + size * 0.19, y + size * 0.14)
    path.lineTo(x + size * 0.19, y)
    canvas.drawPath(path, stroke=1, fill=0)
    canvas.roundRect(x - size * 0.32, y - size * 0.4, size * 0.64, size * 0.44, size * 0.07, stroke=0, fill=1)
